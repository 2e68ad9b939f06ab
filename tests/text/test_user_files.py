"""Files of a user: what they import."""

from fogtree.text.user_files import own_classes


def test_what_lies_beside_a_file_goes_before_what_is_called_the_same_elsewhere(tmp_path, monkeypatch):
    for folder, cards in (("here", 3), ("there", 4)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "number_of_cards_of_mine.py").write_text(f"CARDS = {cards}\n")
    file = tmp_path / "here" / "mine.py"
    file.write_text("from number_of_cards_of_mine import CARDS\n\n\nclass Mine:\n    cards = CARDS\n")
    monkeypatch.syspath_prepend(tmp_path / "there")
    assert own_classes(str(file))[3]["Mine"].cards == 3
