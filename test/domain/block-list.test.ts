import { expect, test } from "@jest/globals";
import { readBlocked } from "../../domain/block-list.ts";

test.each([
  ["ada@x.example", { value: "ada@x.example", type: "EMAIL" }],
  [" Ada+1@X.Example ", { value: "ada+1@x.example", type: "EMAIL" }],
  ["X.example", { value: "x.example", type: "DOMAIN" }],
  ["@x.example", { value: "x.example", type: "DOMAIN" }],
  ["büro.example", { value: "xn--bro-hoa.example", type: "DOMAIN" }],
  ["co.uk", { value: "co.uk", type: "DOMAIN" }],
])("%j is read as %j", (value, blocked) => {
  expect(readBlocked(value)).toEqual(blocked);
});

test.each(["", "@", "com", "a b.example", "a@b@c.example", "http://x.example", "*.x.example", "x.example/", "127.0.0.1"])(
  "%j is refused",
  (value) => {
    expect(() => readBlocked(value)).toThrow("not valid");
  },
);

test("a type that does not fit the value is refused", () => {
  expect(() => readBlocked("x.example", "EMAIL")).toThrow("not valid");
  expect(() => readBlocked("a@x.example", "DOMAIN")).toThrow("not valid");
  expect(readBlocked("@x.example", "DOMAIN")).toEqual({ value: "x.example", type: "DOMAIN" });
});
