import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  canonicalHost,
  checkMailHost,
  checkWebhookUrl,
  isAllowed,
  isBlockedAddress,
  parseAllow,
} from "../../../domain/access/allowed-hosts.ts";
import { AppError } from "../../../domain/errors.ts";

const RULES = { allow: parseAllow("localhost:8080,10.1.2.3:*,mail.corp:1025"), ownHosts: ["app.example.com"] };

/** The code of the refusal, or "allowed". */
function verdict(check: () => unknown): string {
  try {
    check();
    return "allowed";
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

function refusalOf(check: () => unknown): AppError {
  try {
    check();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error("It was allowed");
}

/** The first and last address of every blocked range, with its neighbours outside the range where those are open. */
const RANGES = [
  ["0.0.0.0", "0.255.255.255", ["1.0.0.0"]],
  ["10.0.0.0", "10.255.255.255", ["9.255.255.255", "11.0.0.0"]],
  ["100.64.0.0", "100.127.255.255", ["100.63.255.255", "100.128.0.0"]],
  ["127.0.0.0", "127.255.255.255", ["126.255.255.255", "128.0.0.0"]],
  ["169.254.0.0", "169.254.255.255", ["169.253.255.255", "169.255.0.0"]],
  ["172.16.0.0", "172.31.255.255", ["172.15.255.255", "172.32.0.0"]],
  ["192.0.0.0", "192.0.0.255", ["191.255.255.255", "192.0.1.0"]],
  ["192.0.2.0", "192.0.2.255", ["192.0.1.255", "192.0.3.0"]],
  ["192.31.196.0", "192.31.196.255", ["192.31.195.255", "192.31.197.0"]],
  ["192.52.193.0", "192.52.193.255", ["192.52.192.255", "192.52.194.0"]],
  ["192.88.99.0", "192.88.99.255", ["192.88.98.255", "192.88.100.0"]],
  ["192.168.0.0", "192.168.255.255", ["192.167.255.255", "192.169.0.0"]],
  ["192.175.48.0", "192.175.48.255", ["192.175.47.255", "192.175.49.0"]],
  ["198.18.0.0", "198.19.255.255", ["198.17.255.255", "198.20.0.0"]],
  ["198.51.100.0", "198.51.100.255", ["198.51.99.255", "198.51.101.0"]],
  ["203.0.113.0", "203.0.113.255", ["203.0.112.255", "203.0.114.0"]],
  ["224.0.0.0", "239.255.255.255", ["223.255.255.255"]],
  ["240.0.0.0", "255.255.255.255", []],
  ["::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ["2000::"]],
  ["::1", "64:ff9b::808:808", []],
  ["::8.8.8.8", "fe80::1", []],
  ["2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", ["2000:ffff::", "2001:200::"]],
  ["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", ["2001:db7:ffff::", "2001:db9::"]],
  ["2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ["2001:ffff::", "2003::"]],
  ["2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff", ["2620:4f:7fff:ffff::", "2620:4f:8001::"]],
  ["3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", ["3ffe:ffff::", "3fff:1000::"]],
  ["4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", []],
] as const;

describe("addresses", () => {
  test.each(RANGES)("%s to %s is blocked, and its neighbours are not", (first, last, neighbours) => {
    expect([isBlockedAddress(first), isBlockedAddress(last)]).toEqual([true, true]);
    for (const open of neighbours) expect([open, isBlockedAddress(open)]).toEqual([open, false]);
  });

  test("an IPv4-mapped address is blocked exactly when its IPv4 address is blocked", () => {
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        expect(isBlockedAddress(`::ffff:${ip}`)).toBe(isBlockedAddress(ip));
      }),
    );
  });

  test("every IPv6 address outside 2000::/3 is blocked", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 0xffff }),
        fc.array(fc.integer({ min: 1, max: 0xffff }), { minLength: 7, maxLength: 7 }),
        (head, tail) => {
          fc.pre(head >> 13 !== 1);
          expect(isBlockedAddress([head, ...tail].map((part) => part.toString(16)).join(":"))).toBe(true);
        },
      ),
    );
  });

  test("text that is not an address is blocked", () => {
    for (const text of ["", "example.com", "1.2.3", "1.2.3.4.5", "::g", "8.8.8.8/8", "08.8.8.8", "2606:4700::1%x"])
      expect([text, isBlockedAddress(text)]).toEqual([text, true]);
  });
});

describe("the URL of a subscriber", () => {
  test.each([
    "https://hooks.example.com/in?a=b",
    "https://hooks.example.com:8443/",
    "HTTPS://Hooks.Example.COM",
    "https://bücher.example/",
    "http://localhost:8080/hook",
    "https://10.1.2.3/",
    "http://10.1.2.3:81/",
  ])("%s is allowed", (url) => {
    expect(verdict(() => checkWebhookUrl(url, RULES))).toBe("allowed");
  });

  test.each([
    "",
    "hooks.example.com",
    "/hook",
    "http://hooks.example.com/",
    "http://localhost:8081/",
    "ftp://localhost:8080/",
    "javascript:alert(1)",
    "https://user@hooks.example.com/",
    "https://:secret@hooks.example.com/",
    "https://hooks.example.com/#part",
    "https://hooks.example.com/#",
    "https://hooks.example.com:99999/",
    "https://exa mple.com/",
    `https://hooks.example.com/${"a".repeat(2048)}`,
    `https://hooks.example.com/${"ü".repeat(600)}`,
  ])("%s is not well formed", (url) => {
    expect(verdict(() => checkWebhookUrl(url, RULES))).toBe("VALIDATION_FAILED");
  });

  test.each([
    "https://127.0.0.1/",
    "https://0177.0.0.1/",
    "https://0x7f.1/",
    "https://2130706433/",
    "https://１２７.0.0.1/",
    "https://127.0.0.1./",
    "https://8.8.8.8/",
    "https://[::1]/",
    "https://[2606:4700::1]/",
    "https://[::ffff:10.1.2.3]/",
    "https://localhost/",
    "https://LOCALHOST./",
    "https://a.localhost/",
    "https://printer.local/",
    "https://metadata.google.internal/",
    "https://nas.home.arpa/",
    "https://abc.onion/",
    "https://intranet/",
    "https://intranet./",
    "https://app.example.com/hook",
    "https://APP.example.com./hook",
    "https://hooks.example.com:80/",
    "https://hooks.example.com:22/",
  ])("%s is refused as a forbidden host", (url) => {
    expect(verdict(() => checkWebhookUrl(url, RULES))).toBe("HOST_NOT_ALLOWED");
  });

  test("an international name is stored as its A-label", () => {
    expect(checkWebhookUrl("https://BÜCHER.example/a", RULES).href).toBe("https://xn--bcher-kva.example/a");
  });

  test("an IPv4 literal is refused in any notation", () => {
    const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
    const spellings = (a: number, b: number, c: number, d: number) => [
      `${a}.${b}.${c}.${d}`,
      [a, b, c, d].map((octet) => `0${octet.toString(8)}`).join("."),
      [a, b, c, d].map((octet) => `0x${octet.toString(16)}`).join("."),
      String(a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d),
      `[::ffff:${a}.${b}.${c}.${d}]`,
    ];
    fc.assert(
      fc.property(octets, ([a, b, c, d]) => {
        fc.pre(`${a}.${b}.${c}.${d}` !== "10.1.2.3");
        for (const host of spellings(a, b, c, d))
          expect(verdict(() => checkWebhookUrl(`https://${host}/`, RULES))).toBe("HOST_NOT_ALLOWED");
      }),
    );
  });
});

describe("a mail server", () => {
  test.each([
    ["smtp.example.com", 587],
    ["SMTP.example.com.", 465],
    ["8.8.8.8", 25],
    ["mail.corp", 1025],
    ["10.1.2.3", 4000],
  ] as const)("%s port %d is allowed", (host, port) => {
    expect(verdict(() => checkMailHost(host, port, RULES))).toBe("allowed");
  });

  test.each([
    ["smtp.example.com", 22],
    ["smtp.example.com", 1025],
    ["mail.corp", 1026],
    ["127.0.0.1", 25],
    ["0177.0.0.1", 25],
    ["2130706433", 25],
    ["::1", 143],
    ["[::1]", 143],
    ["::ffff:10.0.0.1", 143],
    ["localhost", 587],
    ["db", 587],
    ["app.example.com", 587],
  ] as const)("%s port %d is refused", (host, port) => {
    expect(verdict(() => checkMailHost(host, port, RULES))).toBe("HOST_NOT_ALLOWED");
  });

  test.each([
    ["127.0.0.1", 465, "127.0.0.1 is a loopback address: this machine itself", "127.0.0.1:465"],
    ["10.0.0.5", 465, "10.0.0.5 is a private address", "10.0.0.5:465"],
    ["169.254.169.254", 993, "169.254.169.254 is a link-local address", "169.254.169.254:993"],
    ["::1", 143, "::1 is a loopback address: this machine itself", "[::1]:143"],
    ["::ffff:10.0.0.1", 143, "::ffff:a00:1 is a private address", "[::ffff:a00:1]:143"],
    ["203.0.113.9", 465, "203.0.113.9 is a reserved address", "203.0.113.9:465"],
    ["Mail.Internal", 465, "mail.internal is a name of a local network", "mail.internal:465"],
    ["mail", 465, "mail is not a full name: it needs a dot, as in mail.example.com", "mail:465"],
    [
      "smtp.example.com",
      22,
      "smtp.example.com:22 has no mail port: 25, 465, 587, 2525, 143, 993",
      "smtp.example.com:22",
    ],
  ] as const)(
    "%s port %d is refused with the reason, and with the pair that would allow it",
    (host, port, why, egressAllow) => {
      const refused = refusalOf(() => checkMailHost(host, port, RULES));
      expect(refused.message).toBe(`${why}. Your operator can allow it in EGRESS_ALLOW: ${egressAllow}`);
      expect(refused.details).toMatchObject({ port, egressAllow });
      expect(verdict(() => checkMailHost(host, port, { ...RULES, allow: parseAllow(egressAllow) }))).toBe("allowed");
    },
  );

  test("the service's own name is refused without a hint how to allow the name", () => {
    const refused = refusalOf(() => checkMailHost("app.example.com", 587, RULES));
    expect([refused.message, refused.details]).toEqual([
      "app.example.com is this service's own name",
      { host: "app.example.com", port: 587, reason: "OWN_NAME" },
    ]);
  });

  test.each([
    "",
    "smtp example.com",
    "smtp.example.com:587",
    "user@smtp.example.com",
    "http://smtp.example.com",
    "a/b",
    "a?b",
  ])("%j is not a host", (host) => {
    expect(verdict(() => checkMailHost(host, 587, RULES))).toBe("VALIDATION_FAILED");
  });
});

describe("the allow list", () => {
  test("host and port pairs, IPv6 addresses in brackets and the port * are accepted", () => {
    expect(parseAllow(" localhost:* , [::1]:25,,Mail.Corp:1025")).toEqual([
      { host: "localhost", port: "*" },
      { host: "::1", port: 25 },
      { host: "mail.corp", port: 1025 },
    ]);
    expect(parseAllow("")).toEqual([]);
  });

  test.each(["localhost", "localhost:", ":25", "localhost:0", "localhost:65536", "localhost:1x", "a b:25", "*:25 26"])(
    "%j is refused at the start of the service",
    (pair) => {
      expect(() => parseAllow(pair)).toThrow(TypeError);
    },
  );

  test("an allowed name allows neither its address nor a name below it", () => {
    const allow = parseAllow("localhost:*");
    expect(isAllowed("localhost", 1, allow)).toBe(true);
    for (const host of ["127.0.0.1", "a.localhost", "localhost.example.com"])
      expect(isAllowed(host, 1, allow)).toBe(false);
  });

  test.each([".", "..", "a..b", ".a"])("%s has an empty label and is not a host", (host) => {
    expect(canonicalHost(host)).toBeUndefined();
  });

  test("normalising a host twice changes nothing", () => {
    fc.assert(
      fc.property(fc.oneof(fc.domain(), fc.ipV4(), fc.ipV6(), fc.string()), (text) => {
        const host = canonicalHost(text);
        if (host !== undefined) expect(canonicalHost(host)).toBe(host);
      }),
    );
  });
});
