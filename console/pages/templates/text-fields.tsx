import type { Refusal } from "../../api/refusal.ts";
import { Field, TextArea } from "../../kit/field.tsx";
import type { FormValues } from "../../kit/form.tsx";
import { templateWords as says } from "../../words/en/templates.ts";
import type { Content } from "./preview.tsx";

interface TextFieldsProps {
  /** The path of the text in the request, which ends with a point unless it is empty. */
  path: string;
  content: Content;
  hasSubject: boolean;
  refusal: Refusal | null;
  /** Called with the text as it is typed, and when one of its fields gets the focus. */
  onType: (content: Content) => void;
}

/** The subject and the text of one email. A text that is HTML is edited as HTML, and is never rewritten. */
export function TextFields({ path, content, hasSubject, refusal, onType }: TextFieldsProps) {
  const isHtml = content.bodyHtml !== null;
  const body = isHtml ? "bodyHtml" : "bodyText";
  const note = ({ form }: { form: HTMLFormElement | null }) => {
    if (form === null) return;
    const data = new FormData(form);
    onType(contentOf({ text: (name) => String(data.get(name) ?? "") }, path, content));
  };
  const listens = {
    onChange: ({ currentTarget }: { currentTarget: { form: HTMLFormElement | null } }) => note(currentTarget),
    onFocus: ({ currentTarget }: { currentTarget: { form: HTMLFormElement | null } }) => note(currentTarget),
  };
  return (
    <>
      {hasSubject && (
        <Field
          label={says.subject}
          name={`${path}subject`}
          defaultValue={content.subject ?? ""}
          autoComplete="off"
          refusal={refusal}
          {...listens}
        />
      )}
      <TextArea
        label={isHtml ? says.html : says.text}
        hint={says.textHint}
        name={`${path}${body}`}
        defaultValue={content[body] ?? ""}
        rows={8}
        refusal={refusal}
        {...listens}
      />
    </>
  );
}

/** The text in the form; what the form does not show stays as it was. */
export function contentOf({ text }: Pick<FormValues, "text">, path: string, { bodyHtml, bodyText }: Content): Content {
  const given = (name: string) => (text(`${path}${name}`) === "" ? null : text(`${path}${name}`));
  return {
    subject: given("subject"),
    bodyHtml: bodyHtml === null ? null : given("bodyHtml"),
    bodyText: bodyHtml === null ? given("bodyText") : bodyText,
  };
}
