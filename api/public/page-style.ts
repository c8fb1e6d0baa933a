import { createHash } from "node:crypto";

/** The style of every public page. It supports phones and dark mode, and needs no script and no other file. */
export const STYLE = `
:root { color-scheme: light dark; --paper: #f5f5f2; --card: #fff; --ink: #1d1d1b; --soft: #5c5c57; --line: #d8d8d2; --act: #1d5bb8; --on-act: #fff; --link: #1d5bb8; --bad: #b3261e }
@media (prefers-color-scheme: dark) {
  :root { --paper: #151514; --card: #20201f; --ink: #ececea; --soft: #aeaea8; --line: #3b3b38; --act: #8fb8fa; --on-act: #0d2040; --link: #8fb8fa; --bad: #ffb4ab }
}
* { box-sizing: border-box }
body {
  margin: 0; min-height: 100vh; padding: 1.25rem; display: grid; place-items: center;
  background: var(--paper); color: var(--ink); font: 1.0625rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif
}
main {
  width: 100%; max-width: 34rem; padding: clamp(1.25rem, 5vw, 2.25rem);
  background: var(--card); border: 1px solid var(--line); border-radius: .75rem
}
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.25 }
p, ul, form { margin: 0 0 1rem; overflow-wrap: anywhere }
ul { padding-inline-start: 1.25rem }
main > :last-child { margin-bottom: 0 }
a { color: var(--link) }
.brand { margin: 0 0 1.25rem; font-weight: 600; color: var(--link) }
button {
  min-height: 2.75rem; padding: .5rem 1.25rem; font: inherit; font-weight: 600; cursor: pointer;
  color: var(--on-act); background: var(--act); border: 0; border-radius: .5rem
}
a:focus-visible, button:focus-visible { outline: 3px solid var(--link); outline-offset: 3px }
.field { display: grid; gap: .25rem }
label { font-weight: 600 }
input:not([type=checkbox], [type=radio]), select {
  width: 100%; min-height: 2.75rem; padding: .5rem .75rem; font: inherit; color: inherit; background: var(--paper);
  border: 1px solid var(--soft); border-radius: .5rem
}
input:focus-visible, select:focus-visible { outline: 3px solid var(--link); outline-offset: 1px }
input[type=checkbox], input[type=radio] { width: 1.25rem; height: 1.25rem; margin-inline-end: .5rem; accent-color: var(--link); vertical-align: -.2em }
fieldset { margin: 0 0 1rem; padding: .5rem 1rem 1rem; border: 1px solid var(--line); border-radius: .5rem }
legend { padding: 0 .25rem; font-weight: 600 }
small { color: var(--soft); font-size: .9375rem }
.error { padding: .5rem .75rem; border-inline-start: 4px solid var(--bad); background: var(--paper) }
button.second { color: var(--ink); background: transparent; border: 1px solid var(--soft) }
.aside { color: var(--soft); font-size: .9375rem }
`;

/** The source of this style for a content security policy: it allows only this exact text. */
export const STYLE_SOURCE = `'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`;
