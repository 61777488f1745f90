/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { feature } from "topojson-client";
import { type PackedTopology, differences, unpacked } from "./arcs";
import packed from "./world.json";

test("packed differences are read back", () => {
  assert.deepEqual(differences("CBAA"), [[1, -1], [0, 0]]);
  assert.deepEqual(differences("gBhB"), [[16, -17]]);
});

test("the world has its countries and lakes, all on the globe", () => {
  for (const level of ["coarse", "fine"] as const) {
    const world = unpacked(packed[level] as unknown as PackedTopology);
    const { features } = feature(world, world.objects.countries);
    assert.ok(features.length >= (level === "fine" ? 220 : 160), `${level}: ${features.length}`);
    for (const name of ["countries", "lakes"] as const)
      for (const { geometry } of feature(world, world.objects[name]).features)
        if (geometry.type === "MultiPolygon")
          for (const [lon, lat] of geometry.coordinates.flat(2)) assert.ok(Math.abs(lon!) <= 180.001 && Math.abs(lat!) <= 90.001);
  }
});
