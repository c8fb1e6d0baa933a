import type { Guard } from "./guard.ts";

const PAGES = "test/console/pages.test.ts";
const FRAME = "test/console/frame.test.ts";
const STORY = "test/console/first-story.test.ts";
const STATE = "test/system/overview.test.ts";

/** What the console's door serves to whom, and what its pages show before they do it. */
export const CONSOLE: Guard[] = [
  {
    guard: "A file of the console is a plain name in the folder of a build",
    file: "api/console/pages.ts",
    text: "if (type === undefined || !/^\\w[\\w.-]*$/.test(name)) routeNotFound(req);",
    instead: 'if (name === "") routeNotFound(req);',
    test: PAGES,
    only: "a file is served compressed",
  },
  {
    guard: "No text of a page can become a script",
    file: "api/console/pages.ts",
    text: "require-trusted-types-for 'script'; trusted-types 'none'",
    instead: "report-to nobody",
    test: PAGES,
    only: "every address of the console is one page",
  },
  {
    guard: "Whoever is signed in already is never sent to another site",
    file: "api/console/pages.ts",
    text: 'pathOf(req.query["returnTo"], door.portalId === null ? "/" : "/w")',
    instead: 'String(req.query["returnTo"])',
    test: PAGES,
    only: "whoever is not signed in is sent to sign in",
  },
  {
    guard: "A launch does what its card showed, or nothing",
    file: "console/pages/campaign/launch-card.tsx",
    text: "planToken: card.planToken",
    instead: "planOnly: false",
    test: STORY,
    only: "a card that no longer holds",
  },
  {
    guard: "What the role does not hold is not shown",
    file: "console/pages/campaign/controls.tsx",
    text: 'may(deed.includes("archive") ? "campaigns:write" : "campaigns:launch")',
    instead: 'may("campaigns:read")',
    test: FRAME,
    only: "a viewer sees no button",
  },
  {
    guard: "What weighs much is repeated once the password was given",
    file: "console/api/query.ts",
    text: "|| !(await askPassword())) throw err;",
    instead: "|| askPassword === null) throw err;",
    test: FRAME,
    only: "what weighs much asks for a password",
  },
  {
    guard: "A page says that its session is over",
    file: "console/api/query.ts",
    text: "if (refusalOf(err).status === 401) noteSessionEnded();",
    instead: "",
    test: FRAME,
    only: "a session that ends tells so",
  },
  {
    guard: "The state of the installation is told to nobody but whoever looks after it",
    file: "operations/system/overview.ts",
    text: "if (!operates(person, session))",
    instead: "if (person === null)",
    test: STATE,
    only: "nobody else is told",
  },
  {
    guard: "Whoever runs the machine does not read whom the workspaces of others write to",
    file: "operations/system/places.ts",
    text: "const isMember = mine.has(workspaceId);",
    instead: "const isMember = mine.size > 0;",
    test: STATE,
    only: "of a workspace of others",
  },
];
