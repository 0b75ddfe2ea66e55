"""HTML: the tree of a page, what of it is content, and its blocks. EPUB and e-mail are read through it, too."""
