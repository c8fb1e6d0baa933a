import { expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { countInTime, type Total } from "../../operations/count.ts";
import { until } from "../fakes/wait.ts";

const overTime = () =>
  Promise.reject(new mongoose.mongo.MongoServerError({ code: 50, message: "operation exceeded time limit" }));

test("a count that finishes in time is exact", async () => {
  expect(await countInTime(async () => 7, overTime, overTime)).toEqual({ total: 7, totalIsExact: true });
});

test("a count that takes too long is estimated and marked as such, and the next caller gets the exact count", async () => {
  const kept: Total[] = [];
  let times = 0;
  const count = () => (++times === 1 ? overTime() : Promise.resolve(90_001));
  const first = await countInTime(
    count,
    async () => 90_000,
    (total) => kept.push(total),
  );
  expect(first).toEqual({ total: 90_000, totalIsExact: false });
  await until(async () => kept.length > 0, { deadlineMs: 30_000, what: "the count" });
  expect(kept).toEqual([{ total: 90_001, totalIsExact: true }]);
});

test("an error other than a timeout reaches the caller", async () => {
  await expect(
    countInTime(
      () => Promise.reject(new Error("away")),
      async () => 1,
      overTime,
    ),
  ).rejects.toThrow("away");
});
