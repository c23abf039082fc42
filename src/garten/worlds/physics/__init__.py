"""Bodies that touch, moved by MuJoCo; a world of them derives from `world.PhysicsWorld`.

describing   `part` one thing's rigid parts, `shapes` what they look like, `build` the blueprint of all,
             `kit` ready-made ground, walls, ramps, doors and drawers, `vehicle` cars
running      `simulation` moves it, keeps its exact state, grips and lets go, `joints` many joints at once
asking       `query` what touches, carries, hides or is near what
"""
