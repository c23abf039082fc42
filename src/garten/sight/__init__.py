"""Seeing: a scene and a camera go in, a frame comes out.

looks       `looks` by name, `encodings` of depth and normals as colours, `shading` for engines that draw
caster      `camera` asks, `stage` keeps a scene on the device (in a `buffer`), `kernels` draw, `shapes` are
            met by rays, `geometry` beside them
photo       `styles` and `surfaces` say what there is, `photo` draws it, with `materials` and `distances`;
            `wardrobe` holds what a stage wears
sequences   `carry` frames to the next view, `video` files
measuring   `probe`, a scene of every kind of shape
"""
