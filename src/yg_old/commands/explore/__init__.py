"""`yg explore`: the data of the page that shows the graph in a browser."""
