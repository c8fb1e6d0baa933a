import type { Guard } from "../guard.ts";

const EDITOR = "test/console/sequence-editor.deep.test.ts";
const DRAFT = "test/console/sequence-draft.test.ts";
const FAULTS = "test/console/sequence-editor-faults.deep.test.ts";

/** What the sequence editor does with the text of a person. */
export const CONSOLE_SEQUENCE: Guard[] = [
  {
    guard: "Typing in a launched campaign writes nothing",
    file: "console/pages/sequence/use-draft.ts",
    text: 'const savesItself = status === "DRAFT";',
    instead: 'const savesItself = status !== "ARCHIVED";',
    test: EDITOR,
    only: "a minute of typing",
  },
  {
    guard: "A campaign that was launched meanwhile gets no unplanned text",
    file: "console/pages/sequence/use-draft.ts",
    text: "draft.base.version <= draftVersion &&",
    instead: "draftVersion >= 0 &&",
    test: FAULTS,
    only: "launched while a person types",
  },
  {
    guard: "Unsaved text survives a reload",
    file: "console/pages/sequence/use-draft.ts",
    text: "useEffect(() => setKept(keepCopy(place, draft)), [place, draft]);",
    instead: "",
    test: FAULTS,
    only: "text that cannot be saved",
  },
  {
    guard: "A conflict asks instead of replacing the other version",
    file: "console/pages/sequence/draft.ts",
    text: "return { ...draft, conflict: stored };",
    instead: "return { ...draft, base: stored };",
    test: FAULTS,
    only: "two people who edit",
  },
  {
    guard: "What is typed during a save stays",
    file: "console/pages/sequence/draft.ts",
    text: "now !== undefined && isSameStep(was, step) ? withBlanks(now, step) : step",
    instead: "now !== undefined ? withBlanks(now, step) : step",
    test: FAULTS,
    only: "typed while a save is under way",
  },
  {
    guard: "The editor shows only the host of a webhook",
    file: "console/pages/sequence/step-config.tsx",
    text: "URL.parse(url)?.host",
    instead: "URL.parse(url)?.href",
    test: EDITOR,
    only: "only the host of a webhook",
  },
  {
    guard: "A copy in the browser leaves out the settings of a webhook",
    file: "console/pages/sequence/copies.ts",
    text: "withoutSettings(steps, base.steps)",
    instead: "[...steps]",
    test: DRAFT,
    only: "a copy",
  },
  {
    guard: "Signing out removes unsaved text from the browser",
    file: "console/frame/account.tsx",
    text: "if (userId !== undefined) dropSequences(userId);",
    instead: "",
    test: FAULTS,
    only: "signing out removes",
  },
  {
    guard: "A save whose answer was lost is no conflict with another author",
    file: "console/pages/sequence/draft.ts",
    text: "[steps, ...sends].find",
    instead: "[steps].find",
    test: DRAFT,
    only: "is no conflict",
  },
  {
    guard: "A review plans again for another version",
    file: "console/pages/sequence/review.tsx",
    text: "version} $",
    instead: "0} $",
    test: FAULTS,
    only: "a review shows",
  },
  {
    guard: "Undo brings back a step under the ids that a save gave",
    file: "console/pages/sequence/draft.ts",
    text: "return renamed(earlier, present);",
    instead: "return [...earlier];",
    test: DRAFT,
    only: "undo after a save",
  },
  {
    guard: "The preview shows no email of another variant or lead",
    file: "console/pages/sequence/preview.tsx",
    text: "keyOf(draft, variant.variantId)} $",
    instead: "0} $",
    test: FAULTS,
    only: "the preview never shows",
  },
  {
    guard: "A template replaces a text only after a question",
    file: "console/pages/sequence/insert-template.tsx",
    text: "onPick={isBlank ? insert : setAsked}",
    instead: "onPick={insert}",
    test: EDITOR,
    only: "filled from a template",
  },
];
