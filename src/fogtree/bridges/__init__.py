"""Other people's formats and engines, one a file. Nothing below imports these but `fogtree.load`, when it meets a file."""

import lazy_loader

__getattr__, _, _ = lazy_loader.attach(
    __name__, submod_attrs={"gtp_client": ["GtpAgent"], "uci_client": ["UciAgent"], "junqi_client": ["JunqiAgent"]}
)
