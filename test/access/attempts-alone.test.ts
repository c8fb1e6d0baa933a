import { expect, test } from "@jest/globals";
import { AppError } from "../../domain/errors.ts";
import { credential, guess } from "../../operations/sign-in/attempts.ts";

/** This file connects to no database. */
const codeOf = (settled: PromiseSettledResult<unknown>) =>
  settled.status === "rejected" && settled.reason instanceof AppError ? settled.reason.code : "none";

const refuse = (code: "WRONG_PASSWORD" | "UNAUTHENTICATED") => async () => {
  throw new AppError(code, "Wrong");
};

test("while the database is unreachable a process counts wrong secrets in memory, and right secrets do not count", async () => {
  for (let tries = 0; tries < 2; tries++)
    expect(await guess(["account:alone"], "wrong passwords", async () => "right")).toBe("right");
  const tries = Array.from({ length: 12 }, () => guess(["account:alone"], "wrong passwords", refuse("WRONG_PASSWORD")));
  const codes = (await Promise.allSettled(tries)).map(codeOf).sort();
  expect(codes).toEqual([...Array(2).fill("RATE_LIMITED"), ...Array(10).fill("WRONG_PASSWORD")]);
});

test("while the database is unreachable a process counts wrong credentials in memory", async () => {
  const tries = Array.from({ length: 302 }, () => credential("192.0.2.1", refuse("UNAUTHENTICATED")));
  const codes = (await Promise.allSettled(tries)).map(codeOf);
  expect(codes.filter((code) => code === "UNAUTHENTICATED")).toHaveLength(300);
  expect(codes.filter((code) => code === "RATE_LIMITED")).toHaveLength(2);
});
