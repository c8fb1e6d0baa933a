import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { mapColumns, type Row, readMapping, suggestedMapping } from "../../../domain/leads/columns.ts";
import { type Known, type KnownLead, planPage } from "../../../domain/leads/import.ts";
import { type Columns, dayOrdersIn, isLeadRow, type LeadRow, readRow } from "../../../domain/leads/import-row.ts";
import { applyLeadChange, blankLead } from "../../../domain/leads/lead.ts";
import { isEmptyCell } from "../../../domain/values/cell.ts";

const MAPPING = readMapping(
  { email: "email", first: "firstName", phone: "phone", tags: "tags", size: "customFields.size" },
  true,
);
const COLUMNS: Columns = { mapping: MAPPING, declared: new Map(), dayOrders: new Map() };
const NOTHING: Known<KnownLead> = { leads: new Map(), blocked: new Set(), suppressed: new Set(), members: null };

const cell = fc.oneof(fc.constant(""), fc.constant(" "), fc.constant(null), fc.string({ maxLength: 30 }), fc.integer());
const row: fc.Arbitrary<Row> = fc.record(
  {
    email: fc.oneof(fc.constantFrom("a@x.example", "B@x.example", "c@y.example"), cell),
    first: cell,
    phone: cell,
    tags: fc.oneof(cell, fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 3 })),
    size: cell,
  },
  { requiredKeys: [] },
);

function read(rows: Row[]): LeadRow[] {
  const seen = new Set<string>();
  return rows
    .map((cells, index) => readRow(cells, index + 1, COLUMNS).read)
    .filter(isLeadRow)
    .filter(({ email }) => !seen.has(email) && seen.add(email));
}

/** The leads in the database after a plan has been carried out. */
function after(plan: ReturnType<typeof planPage<KnownLead>>, before: Known<KnownLead>): Known<KnownLead> {
  const leads = new Map(before.leads);
  for (const { content, row } of plan.created) leads.set(content.email, { _id: `led_${row}`, ...content });
  for (const { lead, changes } of plan.updated) leads.set(lead.email, { ...lead, ...changes });
  return { ...before, leads };
}

test("every row of a page is counted exactly once: as created, updated, skipped or invalid", () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 20 }), fc.array(row, { maxLength: 20 }), (first, second) => {
      const known = after(planPage(read(first), NOTHING), NOTHING);
      const rows = read(second);
      const { counts } = planPage(rows, { ...known, blocked: new Set(["a@x.example"]) });
      expect(counts.created + counts.updated + counts.skipped + counts.invalid).toBe(rows.length);
    }),
  );
});

test("importing the same page again changes nothing", () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 20 }), fc.array(row, { maxLength: 20 }), (first, second) => {
      const old = after(planPage(read(first), NOTHING), NOTHING);
      const rows = read(second);
      const known = after(planPage(rows, old), old);
      const again = planPage(rows, known);
      expect(again.counts).toMatchObject({ created: 0, updated: 0, skipped: rows.length, alreadyExists: rows.length });
    }),
  );
});

test("an import never removes a value or a tag", () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 20 }), fc.array(row, { maxLength: 20 }), (first, second) => {
      const old = after(planPage(read(first), NOTHING), NOTHING);
      const known = after(planPage(read(second), old), old);
      for (const [email, before] of old.leads) {
        const now = known.leads.get(email);
        expect(now?.tags).toEqual(expect.arrayContaining(before.tags));
        if (before.firstName !== null) expect(now?.firstName).not.toBeNull();
        expect(Object.keys(now?.customFields ?? {})).toEqual(expect.arrayContaining(Object.keys(before.customFields)));
      }
    }),
  );
});

test("an update changes only what differs", () => {
  const lead = {
    _id: "led_1",
    ...applyLeadChange(blankLead("a@x.example", "x.example"), {
      firstName: "Ada",
      tags: ["a"],
      customFields: { size: 1 },
    }),
  };
  const known = { ...NOTHING, leads: new Map([["a@x.example", lead]]) };
  const plan = (cells: Row) => planPage(read([{ email: "a@x.example", ...cells }]), known).updated[0]?.changes;
  expect(plan({ first: "Ada", tags: "a", size: 1 })).toBeUndefined();
  expect(plan({ tags: "b, a" })).toEqual({ tags: ["a", "b"] });
  expect(plan({ size: 2 })).toEqual({
    customFields: { size: 2 },
    facets: expect.arrayContaining(["customFields.size\0t2"]),
  });
  expect(plan({ phone: "+44" })).toMatchObject({ phone: "+44", phoneStatus: "revealed" });
  expect(plan({ first: "Eda" })).toMatchObject({ firstName: "Eda", fullName: "Eda" });
});

test("a row may not take a lead past 50 tags or 200 custom fields", () => {
  const tags = Array.from({ length: 50 }, (_, n) => `t${n}`);
  const customFields = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`k${n}`, n]));
  const lead = { _id: "led_1", ...applyLeadChange(blankLead("a@x.example", "x.example"), { tags, customFields }) };
  const known = { ...NOTHING, leads: new Map([["a@x.example", lead]]) };
  const plan = (cells: Row) => planPage(read([{ email: "a@x.example", ...cells }]), known);
  expect(plan({ tags: "t1" }).counts).toMatchObject({ skipped: 1, invalid: 0 });
  expect(plan({ tags: "one more" })).toMatchObject({
    counts: { invalid: 1 },
    errors: [{ row: 1, email: "a@x.example", code: "TOO_BIG" }],
  });
  expect(plan({ size: 1 })).toMatchObject({ counts: { invalid: 1 }, errors: [{ code: "TOO_BIG" }] });
});

test.each([
  ["'=1+1", "=1+1"],
  ["'+44", "+44"],
  ["'-1", "-1"],
  ["'@cmd", "@cmd"],
  ["'\tx", "\tx"],
  ["'＝1", "＝1"],
  ["''=1", "'=1"],
  ["'quoted'", "'quoted'"],
  ["=> see notes", "=> see notes"],
  [12, "12"],
  [false, "false"],
])("the cell %j is read as the text %j", (cell, text) => {
  expect(readRow({ email: "a@x.example", first: cell }, 1, COLUMNS).read).toMatchObject({
    change: { firstName: text },
  });
});

test.each([
  [{ first: "Ada" }, { email: null, code: "REQUIRED" }],
  [{ email: "  " }, { email: null, code: "REQUIRED" }],
  [{ email: "a@@x.example" }, { email: "a@@x.example", code: "INVALID_FORMAT" }],
  [{ email: { address: "a@x.example" } }, { email: null, code: "INVALID_TYPE" }],
])("the row %j is refused as %j", (cells, error) => {
  expect(readRow(cells, 7, COLUMNS).read).toEqual({ row: 7, message: expect.any(String), ...error });
});

test.each([
  [{ first: ["Ada"] }, { column: "first", code: "INVALID_TYPE", value: '["Ada"]' }],
  [{ size: { $gt: 1 } }, { column: "size", code: "INVALID_TYPE", value: '{"$gt":1}' }],
  [{ first: "x".repeat(201) }, { column: "first", code: "TOO_BIG", value: `${"x".repeat(99)}…` }],
  [{ tags: "x".repeat(51) }, { column: "tags", code: "TOO_BIG", value: "x".repeat(51) }],
  [{ tags: 5 }, null],
])("a cell that does not fit is dropped with a warning, and the lead is still imported: %j", (cells, warning) => {
  const { read, warnings } = readRow({ email: "a@x.example", phone: "+44", ...cells }, 7, COLUMNS);
  expect(read).toMatchObject({ email: "a@x.example", change: { phone: "+44" } });
  expect(warnings).toEqual(warning === null ? [] : [{ row: 7, suggestion: null, ...warning }]);
});

test.each([
  "NULL",
  "null",
  "(null)",
  "N/A",
  "n/a",
  "#N/A",
  "#REF!",
  "-",
  "--",
  "–",
  " - ",
  "\\N",
  "undefined",
  "NaN",
  "n.a.",
])("the cell %j counts as empty", (cell) => {
  expect(readRow({ email: "a@x.example", first: cell, size: cell, tags: cell }, 1, COLUMNS)).toMatchObject({
    read: { change: {} },
    warnings: [],
  });
  expect(readRow({ email: cell, first: "Ada" }, 1, COLUMNS).read).toMatchObject({ code: "REQUIRED" });
});

test.each(["Null", "None", "NA", "0", "'-", "Nil", "-1"])("the cell %j counts as a value", (cell) => {
  expect(readRow({ email: "a@x.example", first: cell }, 1, COLUMNS).read).toMatchObject({
    change: { firstName: expect.any(String) },
  });
});

test.each([
  ["Ada Lovelace <ada@x.example>", { firstName: "Ada", lastName: "Lovelace", fullName: "Ada Lovelace" }],
  ['"Lovelace, Ada" <ada@x.example>', { firstName: "Ada", lastName: "Lovelace", fullName: "Ada Lovelace" }],
  ["Ada King Lovelace <mailto:ada@x.example>", { firstName: null, lastName: null, fullName: "Ada King Lovelace" }],
  ["<ada@x.example>", { firstName: null, lastName: null, fullName: null }],
  ["ada@x.example <ada@x.example>", { firstName: null, lastName: null, fullName: null }],
  ["mailto:ada%40x.example?subject=Hi", { firstName: null, lastName: null, fullName: null }],
])("the address %s is read, and the name beside the address is used for a lead without a name", (email, names) => {
  const rows = read([{ email }]);
  expect(rows).toMatchObject([{ email: "ada@x.example" }]);
  expect(planPage(rows, NOTHING).created).toMatchObject([{ content: names }]);
  expect(planPage(read([{ email, first: "Eda" }]), NOTHING).created).toMatchObject([
    { content: { firstName: "Eda", fullName: "Eda" } },
  ]);
  const known = { _id: "led_1", ...applyLeadChange(blankLead("ada@x.example", "x.example"), { lastName: "King" }) };
  expect(planPage(rows, { ...NOTHING, leads: new Map([["ada@x.example", known]]) }).updated).toEqual([]);
});

test("a role address such as sales@ is imported with a warning", () => {
  const { read: row, warnings } = readRow({ email: "Sales+EU@x.example" }, 3, COLUMNS);
  expect(row).toMatchObject({ email: "sales+eu@x.example" });
  expect(warnings).toEqual([
    { row: 3, column: "email", code: "ROLE_ADDRESS", value: "Sales+EU@x.example", suggestion: null },
  ]);
  expect(readRow({ email: "bill@x.example" }, 3, COLUMNS).warnings).toEqual([]);
});

test("each cell of a mapped column is in the lead, in a warning or in the row's error", () => {
  const declared = new Map([["size", { key: "size", type: "NUMBER" as const, options: null }]]);
  const any = fc.oneof(
    cell,
    fc.string({ minLength: 195, maxLength: 205 }),
    fc.array(fc.string(), { maxLength: 2 }),
    fc.constantFrom("1,200", "May 2024"),
  );
  const rows = fc.record(
    { email: fc.constant("a@x.example"), first: any, phone: any, tags: any, size: any },
    { requiredKeys: ["email"] },
  );
  fc.assert(
    fc.property(rows, (cells) => {
      const { read: row, warnings } = readRow(cells, 1, { ...COLUMNS, declared });
      if (!isLeadRow(row)) throw new Error("The address is valid");
      const { firstName: first, phone, tags, customFields } = row.change;
      const kept: Record<string, unknown> = { first, phone, tags, size: customFields?.["size"] };
      for (const [column, value] of Object.entries(cells)) {
        if (column === "email" || isEmptyCell(value)) continue;
        const isWarned = warnings.some((warning) => warning.column === column);
        expect([column, value, isWarned !== (kept[column] !== undefined)]).toEqual([column, value, true]);
      }
    }),
  );
});

test("a column that is not a standard field is matched by the key or label of a custom field", () => {
  const declared = [
    { key: "headCount", label: "Number of employees" },
    { key: "budget", label: "Company name" },
    { key: "linkedin", label: "Profile" },
  ];
  expect(
    suggestedMapping(
      ["Email", "Number of Employees", "HEAD_COUNT", "company-name", "Organization", "LinkedIn URL"],
      declared,
    ),
  ).toEqual({
    Email: "email",
    "Number of Employees": "customFields.headCount",
    "company-name": "company",
    "LinkedIn URL": "customFields.linkedin",
  });
});

test("unmapped columns are kept on request, each under its own key, except those the caller excludes", () => {
  const columns = [
    "email",
    "Head count",
    "head_count",
    "Straße",
    "日本",
    "日本語",
    "first-name",
    "Secret",
    "firstname",
  ];
  const asked = { fieldMapping: { email: "email", Secret: null }, keepUnmapped: true };
  const { mapping, unmappedColumns } = mapColumns(columns, [], asked);
  expect(unmappedColumns).toEqual(["Secret"]);
  expect(mapping).toEqual({
    email: "email",
    "Head count": "customFields.headCount",
    head_count: "customFields.headCount2",
    Straße: "customFields.strasse",
    日本: "customFields.column4",
    日本語: "customFields.column5",
    "first-name": "customFields.firstName2",
    firstname: "customFields.firstname3",
  });
  const many = Array.from({ length: 300 }, (_, at) => `c${at}`);
  expect(mapColumns(["email", ...many], [], { keepUnmapped: true }).unmappedColumns).toEqual(many.slice(200));
});

test("other cells of a column decide the day and month order of its dates, unless they contradict each other", () => {
  const declared = new Map([["since", { key: "since", type: "DATE" as const, options: null }]]);
  const mapping = readMapping({ email: "email", Since: "customFields.since" }, true);
  const readAll = (...dates: string[]) => {
    const rows = dates.map((Since, at) => ({ email: `a${at}@x.example`, Since }));
    const columns = { mapping, declared, dayOrders: dayOrdersIn(rows, mapping, declared) };
    return rows.map((cells, at) => {
      const { read: row, warnings } = readRow(cells, at, columns);
      return warnings[0]?.code ?? (isLeadRow(row) ? row.change.customFields?.["since"] : null);
    });
  };
  expect(readAll("05/06/2024", "25/06/2024")).toEqual(["2024-06-05", "2024-06-25"]);
  expect(readAll("05/06/2024", "06/25/2024")).toEqual(["2024-05-06", "2024-06-25"]);
  expect(readAll("05/06/2024", "25/06/2024", "06/25/2024")).toEqual(["AMBIGUOUS_DATE", "2024-06-25", "2024-06-25"]);
});

test("columns are matched by name, ignoring case, spaces and underscores, and only the first one for each field", () => {
  expect(
    suggestedMapping([
      "E_MAIL",
      "email",
      "FirstName",
      "last name",
      "Job_Title",
      "tags",
      "customFields.Size",
      "balance",
    ]),
  ).toEqual({
    E_MAIL: "email",
    FirstName: "firstName",
    "last name": "lastName",
    Job_Title: "jobTitle",
    tags: "tags",
    "customFields.Size": "customFields.Size",
  });
});

test("headers of common exports are matched in several languages, but the field's own name takes precedence", () => {
  const columns = [
    "E-Mail-Adresse",
    "Prénom",
    "Apellidos",
    "Organization",
    "company",
    "Phone Number",
    "Title",
    "Stadt",
    "País",
    "Name",
  ];
  expect(suggestedMapping(columns)).toEqual({
    "E-Mail-Adresse": "email",
    Prénom: "firstName",
    Apellidos: "lastName",
    company: "company",
    "Phone Number": "phone",
    Title: "jobTitle",
    Stadt: "city",
    País: "country",
  });
});

test.each<[language: string, header: string]>([
  [
    "German",
    "E-Mail-Adresse;Vorname;Nachname;Firma;Position;Telefon;Stadt;Bundesland;Land;Webseite;Zeitzone;Schlagworte",
  ],
  [
    "French",
    "Adresse e-mail;Prénom;Nom de famille;Société;Poste;Téléphone;Ville;Région;Pays;Site web;Fuseau horaire;Étiquettes",
  ],
  [
    "Spanish",
    "Correo electrónico;Nombre;Apellidos;Empresa;Cargo;Teléfono;Ciudad;Provincia;País;Sitio web;Zona horaria;Etiquetas",
  ],
  [
    "Portuguese",
    "Correio eletrónico;Primeiro nome;Apelido;Organização;Função;Telemóvel;Localidade;Estado;País;Website;Fuso horário;Etiquetas",
  ],
  [
    "Italian",
    "Indirizzo e-mail;Nome proprio;Cognome;Azienda;Ruolo;Telefono;Città;Regione;Paese;Sito web;Fuso orario;Etichette",
  ],
  [
    "Dutch",
    "E-mailadres;Voornaam;Achternaam;Bedrijfsnaam;Functie;Telefoonnummer;Woonplaats;Provincie;Land;Webpagina;Tijdzone;Tags",
  ],
  [
    "Polish",
    "Adres e-mail;Imię;Nazwisko;Nazwa firmy;Stanowisko;Numer telefonu;Miasto;Województwo;Kraj;Strona WWW;Strefa czasowa;Tagi",
  ],
  ["Russian", "Электронная почта;Имя;Фамилия;Компания;Должность;Телефон;Город;Область;Страна;Сайт;Часовой пояс;Теги"],
])("the columns of a table in %s are matched by their names", (_language, header) => {
  const fields = [
    "email",
    "firstName",
    "lastName",
    "company",
    "jobTitle",
    "phone",
    "city",
    "state",
    "country",
    "website",
    "timezone",
    "tags",
  ];
  const columns = header.split(";");
  const suggested = suggestedMapping(columns);
  expect(columns.map((column) => suggested[column])).toEqual(fields);
});

test("punctuation and invisible characters around a column name do not prevent a match", () => {
  expect(suggestedMapping(["\u200bE-Mail:", "Vorname*", "nom de l’entreprise"])).toEqual({
    "\u200bE-Mail:": "email",
    "Vorname*": "firstName",
    "nom de l’entreprise": "company",
  });
});

test("no column reaches a prototype, an operator or a field that only the service writes", () => {
  for (const column of [
    "__proto__",
    "constructor",
    "customFields.__proto__",
    "customFields.constructor",
    "customFields.$set",
    "customFields.a.b",
    "suppressed",
    "status",
    "workspaceId",
    "_id",
  ]) {
    expect(suggestedMapping([column])).toEqual({});
    expect(() => readMapping({ email: "email", x: column }, true)).toThrow("not valid");
  }
});
