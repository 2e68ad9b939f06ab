"""The page: play, watch, and see what a search believed, in the browser (`fogtree web`).

One server process draws pages as HTML and SVG. Each match, comparison, strategy and spot has a worker process of its own,
which holds the state, thinks, and can be ended at any time. What crosses the line between them is JSON, one object a line.

    server.py      how requests are answered, and how the page is started
    connections.py how long a connection may wait, and how many there may be
    guard.py       who may ask: Host, Origin, tokens, and the headers that bind the browser
    workers.py     worker processes as the server sees them: jobs, caps, the end of a job
    worker.py      a worker process from the inside
    offer.py       the games, agents and files that can be chosen; the only way from a text of the browser to an object
    matches.py     a match in a worker; reveal.py: what its players believed; worth.py: what each action was worth
    curves.py      a comparison in a worker
    strategies.py  a strategy in a worker, unfolded set by set
    spots.py       a poker spot in a worker; spot_form.py: the form of one; spot_shelf.py: the folder of
                   solved ones; spot_table.py: hands played against one; spot_where.py: where somebody is in one
    html.py        how HTML is written; desk.py: what all views share; pages_*.py: the views
"""
