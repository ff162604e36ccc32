"""Pictures of the screen: the real program in a pseudo terminal, before a scripted model, as SVG files in ``docs/pictures``.

``python -m pictures`` makes all of them anew. The parts: ``states`` lists what is shown and how it is reached,
``scripts`` what the model says there, ``tokenbox`` is the project in question, ``machine`` the home and the programs of
the person, ``camera`` runs the program and takes the screen, ``grid`` and ``svg`` make a file of it, ``times`` puts fixed
times where the real ones differ from run to run, ``sheet`` puts rows of several screens together.
"""
