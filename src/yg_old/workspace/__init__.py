"""An open repository: its files, its graph, and results that are kept between runs."""
