"""What the documents quote, one file a spot: each ``write`` gives Markdown from results on file.

``<!-- numbers: growth -->`` in a document is filled by ``write`` of ``growth.py`` here.
"""
