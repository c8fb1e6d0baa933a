import { expect, test } from "@jest/globals";
import { contentTypeOf, fileNameOf, refusedExtension } from "../../../domain/mail/outgoing-file.ts";

test.each([
  ["offer.pdf", "offer.pdf"],
  ["C:\\Users\\ann\\offer.pdf", "offer.pdf"],
  ["../../etc/passwd", "passwd"],
  ["a\r\nX-Evil: 1.csv", "aX-Evil_ 1.csv"],
  ["fdp.\u202Eexe.pdf", "fdp.exe.pdf"],
  ["Angebot fu\u0308r Zoë.pdf", "Angebot f\u00fcr Zoë.pdf"],
  ['say "hi".txt', "say _hi_.txt"],
  ["", "file"],
  ["..", "file"],
  ["dir/", "file"],
  [`${"x".repeat(300)}.pdf`, `${"x".repeat(196)}.pdf`],
  ["x".repeat(300), "x".repeat(200)],
])("an attachment with the file name %j is sent as %j", (given, name) => {
  expect(fileNameOf(given)).toBe(name);
});

test.each([
  ["application/pdf", "application/pdf"],
  ["Text/CSV; charset=utf-8", "text/csv"],
  ["message/rfc822", "application/octet-stream"],
  ["multipart/mixed; boundary=x", "application/octet-stream"],
  ["text/html\r\nX-Evil: 1", "application/octet-stream"],
  ["", "application/octet-stream"],
])("an attachment with the content type %j is sent as %s", (given, type) => {
  expect(contentTypeOf(given)).toBe(type);
});

test.each([
  ["run.exe", "exe"],
  ["invoice.pdf.SCR", "scr"],
  ["a.lnk. ", "lnk"],
  ["exe", null],
  ["offer.pdf", null],
  ["my.exe.pdf", null],
])("the attachment %j is refused for the extension %j (null: accepted)", (name, extension) => {
  expect(refusedExtension(name)).toBe(extension);
});
