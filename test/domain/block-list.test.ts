import { expect, test } from "@jest/globals";
import { readBlockListValue } from "../../domain/block-list.ts";

test.each([
  ["ada@x.example", { value: "ada@x.example", type: "EMAIL" }],
  [" Ada+1@X.Example ", { value: "ada+1@x.example", type: "EMAIL" }],
  ["X.example", { value: "x.example", type: "DOMAIN" }],
  ["@x.example", { value: "x.example", type: "DOMAIN" }],
  ["büro.example", { value: "xn--bro-hoa.example", type: "DOMAIN" }],
  ["x.co.uk", { value: "x.co.uk", type: "DOMAIN" }],
  ["someone.github.io", { value: "someone.github.io", type: "DOMAIN" }],
  ["www.ck", { value: "www.ck", type: "DOMAIN" }],
  ["internal.example", { value: "internal.example", type: "DOMAIN" }],
  ["ada@db.internal", { value: "ada@db.internal", type: "EMAIL" }],
])("%j is read as %j", (value, blocked) => {
  expect(readBlockListValue(value)).toEqual(blocked);
});

test.each([
  "",
  "@",
  "com",
  "a b.example",
  "a@b@c.example",
  "http://x.example",
  "*.x.example",
  "x.example/",
  "127.0.0.1",
])("%j is refused", (value) => {
  expect(() => readBlockListValue(value)).toThrow("not valid");
});

test.each(["co.uk", "@Co.UK", "公司.cn", "k12.ca.us", "foo.ck", "github.io"])(
  "%j, a public suffix, cannot be a block list entry",
  (value) => {
    expect(() => readBlockListValue(value)).toThrow("not valid");
  },
);

test.each(["db.internal", "@mail.corp.internal", "printer.local", "x.localhost", "nas.home.arpa", "x.onion"])(
  "%j, which is not a public domain, cannot be a block list entry",
  (value) => {
    expect(() => readBlockListValue(value)).toThrow("not valid");
  },
);

test("a type that does not match the value is refused", () => {
  expect(() => readBlockListValue("x.example", "EMAIL")).toThrow("not valid");
  expect(() => readBlockListValue("a@x.example", "DOMAIN")).toThrow("not valid");
  expect(readBlockListValue("@x.example", "DOMAIN")).toEqual({ value: "x.example", type: "DOMAIN" });
});
