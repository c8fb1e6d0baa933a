import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { simpleParser } from "mailparser";
import { composeMessage } from "../../../connectors/smtp/compose.ts";
import { trackingDomainOf } from "../../../domain/mailboxes/tracking-domain.ts";
import { locationOf, readTarget } from "../../../domain/templates/link-target.ts";
import { type TrackingOfMail, trackMail } from "../../../domain/templates/track.ts";

const TOKEN = "v1.kid.dTpzbmRfMTo.AAAAAAAAAAAAAAAAAAAAAA";
const ALL = {
  trackOpens: true,
  trackClicks: true,
  honeypotLink: false,
  conversionLinks: true,
  conversionDomains: [] as string[],
};
const C = "https://t.test/t/c/";

function trackingOf({
  wishes = {},
  ...more
}: { wishes?: Partial<typeof ALL> } & Partial<Omit<TrackingOfMail, "wishes">> = {}) {
  const own = { cid: "4fJ9sK2mQ7xB1c", unsubscribeToken: TOKEN, isTracked: true, before: null };
  const urls = {
    pixelUrl: () => "https://t.test/t/o/pixel",
    linkUrl: (index: number) => `${C}${index}`,
    hiddenUrl: () => "https://t.test/t/c/hidden",
  };
  return { ...own, ...urls, wishes: { ...ALL, ...wishes }, ...more };
}

const clicksOf = (html: string, more: Parameters<typeof trackingOf>[0] = {}) =>
  trackMail({ text: "", html }, trackingOf({ ...more, wishes: { trackOpens: false, ...more.wishes } }));
const targetsOf = (html: string, more: Parameters<typeof trackingOf>[0] = {}) =>
  clicksOf(html, more).tracking?.links.map(({ url }) => url) ?? [];

test("tracking replaces only link addresses and adds the pixel, and every other byte of the HTML stays", () => {
  const html = [
    '<!DOCTYPE html>\r\n<HTML><HEAD><style>a[href="https://x.test/"]{}</style><title><a href="https://x.test/title"></title></HEAD>',
    "<!--[if mso]><a href=\"https://x.test/mso\">Outlook</a><![endif]-->\r<![if !mso]><p CLASS='x'>&nbsp;&copy &amp;amp; ü 🎉",
    '<A class="b" HREF = \'https://x.test/1?a=1&amp;b=2\' title="https://x.test/">one</A><a name=x>no</a><a href>no</a><a href="">no</a>',
    '<a href=https://x.test/2/>two</a><a href="https://x.test/3"href="https://x.test/4">three</a><img src="https://x.test/i.png">',
    '<area href="https://x.test/area"><link href="https://x.test/link"><a href="#top">top</a><a href="mailto:a@x.test">m</a>',
    '<noscript><a href="https://x.test/5">five</a></noscript><textarea><a href="https://x.test/no"></textarea>',
    '<b><a href="https://x.test/6"><div>six</b></div></a><svg><a href="https://x.test/svg">s</a></svg><![endif]></body >\n</html>\n\u0000',
  ].join("\n");
  const { html: tracked, tracking } = trackMail({ text: "t", html }, trackingOf());
  expect(tracking).toEqual({
    opens: true,
    clicks: true,
    links: ["1?a=1&b=2", "2/", "3", "5", "6"].map((end) => ({ url: `https://x.test/${end}`, converts: false })),
  });
  const expected = html
    .replace("'https://x.test/1?a=1&amp;b=2'", `"${C}0"`)
    .replace("href=https://x.test/2/>", `href="${C}1">`)
    .replace('"https://x.test/3"', `"${C}2"`)
    .replace('"https://x.test/5"', `"${C}3"`)
    .replace('"https://x.test/6"', `"${C}4"`)
    .replace("</body >", '<img src="https://t.test/t/o/pixel" width="1" height="1" alt=""></body >');
  expect(tracked).toBe(expected);
});

test("tracked HTML differs from any original HTML only in link addresses and the added pixel", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "<a href=",
      '"',
      "'",
      ">",
      "</a>",
      "<a ",
      "https://x.test/p?a=1&amp;b",
      " href=http://y.test",
      "<!--",
      "-->",
      "<b>",
    ),
    fc.constantFrom(
      "\r\n",
      "\r",
      "\0",
      "\ud800",
      "<table>",
      "<td>",
      "</body>",
      "</html>",
      "<style>",
      "</style>",
      "<svg>",
      "<p>",
      "&#x41;",
    ),
    fc.string({ unit: "binary", maxLength: 8 }),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join("")),
      (html) => {
        const { html: tracked, tracking } = trackMail({ text: "", html }, trackingOf());
        const links = tracking?.links ?? [];
        expect(tracked?.replace(/"https:\/\/t\.test\/t\/c\/\d+"|<img src="https:\/\/t\.test[^>]*>/g, "")).toHaveLength(
          html.length - lengthOfReplaced(html, tracked ?? ""),
        );
        for (const { url } of links) expect(readTarget(url)).toBe(url);
      },
    ),
    { numRuns: 500 },
  );
});

/** Characters of the text that stand in no part of the tracked text: walks both from place to place. */
function lengthOfReplaced(html: string, tracked: string): number {
  const parts = tracked.split(/"https:\/\/t\.test\/t\/c\/\d+"|<img src="https:\/\/t\.test[^>]*>/);
  let at = 0;
  let kept = 0;
  for (const part of parts) {
    const found = html.indexOf(part, at);
    expect(found).toBeGreaterThanOrEqual(0);
    at = found + part.length;
    kept += part.length;
  }
  expect(html.endsWith(parts.at(-1) ?? "")).toBe(true);
  return html.length - kept;
}

test.each([
  [
    "javascript:alert(1)",
    "java\nscript:x",
    "data:text/html,x",
    "ftp://x.test/",
    "//x.test/",
    "/path",
    "https:x.test",
    "https:/x.test",
    "http://",
  ],
  [
    "https://user@x.test/",
    "https://user:pw@x.test/",
    "https://@x.test/",
    "https://good.test\\@evil.test/",
    "https://x.test\\a",
  ],
  [
    "https://x.test/a\r\nSet-Cookie: a=b",
    "https://x.test/\ta",
    "https://x.test/\u0000",
    "https://x.test/\u0085",
    "https://x.test/\u2028a",
  ],
  [
    "https://x.test/\ud800",
    `https://x.test/${"a".repeat(2_034)}`,
    "https://x test/",
    "https://[::1/",
    "https://x.test:99999/",
  ],
])("a link without a valid http or https target stays unchanged: %j and similar links", (...hrefs) => {
  for (const href of hrefs) {
    expect(readTarget(href)).toBeNull();
    const html = `<a href="${href.replaceAll("&", "&amp;")}">x</a>`;
    expect(clicksOf(html)).toMatchObject({ html, tracking: { links: [] } });
  }
});

test("a tracked link leads to the exact target with entities, fragments, foreign alphabets, odd characters and up to 2,048 characters", () => {
  const odd = [
    "https://x.test/a/../b//c?x=%zz&y=[1]&z={|}^`#frag?ment/#2",
    "HTTP://X.Test:80?q='a'&q=\"b\"",
    "https://x.test/?a=1;b=2&&c=+%20%2B",
    "https://x.test./~user/!$()*,:@",
    "https://[2001:db8::1]:8443/",
    `https://x.test/${"a".repeat(2_033)}`,
  ];
  for (const url of odd) {
    const escaped = url.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    expect(targetsOf(`<a href=" \n${escaped}\t">x</a>`)).toEqual([url]);
    expect(locationOf(url)).toBe(url.replaceAll(" ", "%20"));
  }
  expect(targetsOf('<a href="https://x.test/?a=1&copy=2&lt;&#x26;">x</a>')).toEqual(["https://x.test/?a=1&copy=2<&"]);
  const foreign = "https://bücher.test:8443/ü b/🎉?q=é&p=%C3%A9#ä";
  expect(targetsOf(`<a href="${foreign}">x</a>`)).toEqual([foreign]);
  expect(locationOf(foreign)).toBe("https://xn--bcher-kva.test:8443/%C3%BC%20b/%F0%9F%8E%89?q=%C3%A9&p=%C3%A9#%C3%A4");
  expect(new URL(locationOf(foreign)).href).toBe(new URL(foreign).href);
});

test("the unsubscribe link is never wrapped in a tracked link, on any host or inside another URL", () => {
  const links = [
    `https://t.test/u/${TOKEN}`,
    `http://other.test/u/${TOKEN}?a#b`,
    `https://r.test/?to=https%3A%2F%2Ft.test%2Fu%2F${TOKEN}`,
  ];
  const html = links.map((url) => `<a href="${url}">Unsubscribe</a>`).join("");
  const wishes = { conversionDomains: ["t.test", "other.test", "r.test"] };
  expect(clicksOf(html, { wishes })).toMatchObject({ html, tracking: { links: [] } });
  expect(clicksOf(html, { wishes, isTracked: false }).html).toBe(html);
  const text = links.join(" ");
  expect(trackMail({ text, html: null }, trackingOf({ wishes })).text).toBe(text);
});

test("a link to a conversion domain or a subdomain gets the cid as a parameter in place of an older one, and the rest of the link stays", () => {
  const wishes = {
    trackClicks: false,
    conversionDomains: ["Example.test", "https://bücher.test/", "*.star.test.", "no host"],
  };
  const ask = (url: string) => targetsOf(`<a href="${url}">x</a>`, { wishes });
  expect(ask("https://example.test")).toEqual(["https://example.test?svc=4fJ9sK2mQ7xB1c"]);
  expect(ask("https://www.EXAMPLE.test./a?b=%20+c&d#e?f")).toEqual([
    "https://www.EXAMPLE.test./a?b=%20+c&d&svc=4fJ9sK2mQ7xB1c#e?f",
  ]);
  expect(ask("https://example.test/?svc=old&a=1&s%76c=older&xsvc=2#svc=3")).toEqual([
    "https://example.test/?svc=4fJ9sK2mQ7xB1c&a=1&xsvc=2#svc=3",
  ]);
  expect(ask("https://example.test/?")).toEqual(["https://example.test/?svc=4fJ9sK2mQ7xB1c"]);
  expect(ask("https://shop.xn--bcher-kva.test/")).toHaveLength(1);
  expect(ask("https://a.star.test/")).toHaveLength(1);
  for (const other of [
    "https://notexample.test/",
    "https://example.test.evil.test/",
    "https://test/",
    "https://evil.test/?example.test",
  ])
    expect(ask(other)).toEqual([]);
  const html = '<a href="https://example.test/">x</a><a href="https://other.test/">y</a>';
  expect(clicksOf(html, { wishes }).tracking).toEqual({
    opens: false,
    clicks: false,
    links: [{ url: "https://example.test/?svc=4fJ9sK2mQ7xB1c", converts: true }],
  });
  expect(
    clicksOf(html, { wishes: { ...wishes, trackClicks: true } }).tracking?.links.map(({ converts }) => converts),
  ).toEqual([true, false]);
  expect(clicksOf(html, { wishes: { ...wishes, conversionLinks: false } })).toMatchObject({ html, tracking: null });
});

test("without a verified tracking domain, or in a text-only email, the conversion link itself carries the cid and nothing else changes", () => {
  const wishes = { conversionDomains: ["example.test"] };
  const html = '<A HREF=https://example.test/?a=1&amp;b>x</A><a href="https://other.test/">y</a></body>';
  expect(trackMail({ text: "see https://example.test/", html }, trackingOf({ wishes, isTracked: false }))).toEqual({
    text: "see https://example.test/",
    html: '<A HREF="https://example.test/?a=1&amp;b&amp;svc=4fJ9sK2mQ7xB1c">x</A><a href="https://other.test/">y</a></body>',
    tracking: null,
  });
  const text =
    "See (https://example.test/a_(b)), <https://www.example.test/?x=1#y>. Or https://other.test/! “https://example.test/c.”";
  expect(trackMail({ text, html: null }, trackingOf({ wishes }))).toEqual({
    text: "See (https://example.test/a_(b)?svc=4fJ9sK2mQ7xB1c), <https://www.example.test/?x=1&svc=4fJ9sK2mQ7xB1c#y>. Or https://other.test/! “https://example.test/c?svc=4fJ9sK2mQ7xB1c.”",
    html: null,
    tracking: null,
  });
});

test("tracking never changes the text part of an email with HTML", () => {
  const text = "https://example.test/ and https://other.test/";
  const mail = trackMail(
    { text, html: '<a href="https://example.test/">x</a>' },
    trackingOf({ wishes: { conversionDomains: ["example.test"] } }),
  );
  expect(mail.text).toBe(text);
});

test("an email of a campaign without open and click tracking stays unchanged", () => {
  const html = '<p><a href="https://x.test/">x</a></p></body>';
  expect(trackMail({ text: "x", html }, trackingOf({ wishes: { trackOpens: false, trackClicks: false } }))).toEqual({
    text: "x",
    html,
    tracking: null,
  });
});

test("the invisible link stands empty before the pixel, is hidden from readers and keyboards, and appears only in tracked emails", () => {
  const [html, text] = ['<p><a href="https://x.test/">x</a></p></body>', "https://x.test/"];
  const written = (wishes: Partial<typeof ALL>, more: Partial<TrackingOfMail> = {}) =>
    trackMail({ text, html }, trackingOf({ ...more, wishes: { honeypotLink: true, ...wishes } }));
  const { html: tracked, text: untouched, tracking } = written({});
  expect(tracked).toBe(
    `<p><a href="${C}0">x</a></p><a href="https://t.test/t/c/hidden" aria-hidden="true" tabindex="-1"></a><img src="https://t.test/t/o/pixel" width="1" height="1" alt=""></body>`,
  );
  expect([untouched, tracking]).toEqual([
    text,
    { opens: true, clicks: true, links: [{ url: "https://x.test/", converts: false }], hiddenLink: true },
  ]);
  expect(written({ trackClicks: false }).tracking).toEqual({ opens: true, clicks: false, links: [], hiddenLink: true });
  expect(written({ trackClicks: false, trackOpens: false })).toEqual({ text, html, tracking: null });
  expect(written({}, { isTracked: false })).toEqual({ text, html, tracking: null });
  expect(trackMail({ text, html: null }, trackingOf({ wishes: { honeypotLink: true } })).tracking).toBeNull();
  expect(written({ honeypotLink: false }).html).not.toContain("hidden");
  // One that an earlier attempt carried still leads where it led
  const later = written({ honeypotLink: false, trackClicks: false, trackOpens: false }, { before: tracking });
  expect(later.html).not.toContain("hidden");
  expect(later.tracking).toMatchObject({ hiddenLink: true });
});

test("links with the same target share one tracked link, and links of an earlier attempt keep their targets", () => {
  const html = '<a href="https://b.test/">1</a><a href="https://a.test/">2</a><a href="https://b.test/">3</a>';
  const first = clicksOf(html);
  expect(first.html).toBe(`<a href="${C}0">1</a><a href="${C}1">2</a><a href="${C}0">3</a>`);
  const second = clicksOf('<a href="https://c.test/">new</a><a href="https://a.test/">2</a>', {
    before: first.tracking,
  });
  expect(second.html).toBe(`<a href="${C}2">new</a><a href="${C}1">2</a>`);
  expect(second.tracking?.links.map(({ url }) => url)).toEqual([
    "https://b.test/",
    "https://a.test/",
    "https://c.test/",
  ]);
  expect(clicksOf(html, { before: second.tracking, isTracked: false })).toEqual({
    text: "",
    html,
    tracking: second.tracking,
  });
});

test("the link and pixel addresses of a tracked email arrive complete after the message is encoded", async () => {
  const long = `${C}${"x".repeat(150)}`;
  const { text, html } = trackMail(
    { text: "ü", html: '<p>ü <a href="https://x.test/?ü">x</a></p>' },
    trackingOf({ linkUrl: () => long }),
  );
  const mail = {
    from: { address: "a@a.test" },
    to: { address: "b@b.test" },
    subject: "x",
    messageId: "<a@a.test>",
    date: new Date(0),
  };
  const parsed = await simpleParser((await composeMessage({ ...mail, text, html })).bytes);
  expect(parsed.html).toContain(`<a href="${long}">x</a>`);
  expect(parsed.html).toContain('<img src="https://t.test/t/o/pixel" width="1" height="1" alt="">');
});

test("the tracking domain is the mailbox's own verified domain, otherwise a verified workspace domain under the same registrable domain", () => {
  const verified = (domain: string) => ({ domain, status: "VERIFIED" });
  const pending = (domain: string) => ({ domain, status: "PENDING" });
  const chosen = (email: string, own: object | null, its: object | null) =>
    trackingDomainOf({ email, trackingDomain: own as never }, { trackingDomain: its as never })?.domain ?? null;
  expect(chosen("a@sender.test", verified("t.sender.test"), verified("x.sender.test"))).toBe("t.sender.test");
  expect(chosen("a@sender.test", verified("t.elsewhere.test"), null)).toBe("t.elsewhere.test");
  expect(chosen("a@mail.Sender.co.uk", pending("t.sender.co.uk"), verified("go.sender.co.uk"))).toBe("go.sender.co.uk");
  expect(chosen("a@sender.test", null, pending("t.sender.test"))).toBeNull();
  expect(chosen("a@sender.test", null, { domain: "t.sender.test", status: "FAILED" })).toBeNull();
  expect(chosen("a@sender.co.uk", null, verified("t.other.co.uk"))).toBeNull();
  expect(chosen("a@me.github.io", null, verified("you.github.io"))).toBeNull();
  expect(chosen("a@co.uk", null, verified("co.uk"))).toBeNull();
  expect(chosen("a@sender.test", null, null)).toBeNull();
});
