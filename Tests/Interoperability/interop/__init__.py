"""An independent implementation of the Homeport device protocol, written from its pages alone."""
