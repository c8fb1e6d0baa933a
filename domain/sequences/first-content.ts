import type { Content } from "../templates/template.ts";

/**
 * The text of a new campaign's first email. It has no variables, so that it can be previewed and tested immediately.
 */
export const FIRST_CONTENT: Content = {
  subject: "A quick question",
  bodyHtml: "<p>Hello,</p>\n<p>could you tell me who is the right person to talk to?</p>",
  bodyText: null,
};

/** Whether a content is still this unchanged sample text, which must not be sent. */
export function isUntouched({ subject, bodyHtml, bodyText }: Content): boolean {
  return (
    subject === FIRST_CONTENT.subject && bodyHtml === FIRST_CONTENT.bodyHtml && bodyText === FIRST_CONTENT.bodyText
  );
}
