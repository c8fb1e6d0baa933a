import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { usualServersOf } from "../../../domain/mailboxes/usual-servers.ts";
import { SECURITIES, type Security } from "../../../domain/states.ts";
import type { In } from "../../api/call.ts";
import { useWorkspaceId } from "../../api/path-id.ts";
import { useWrite } from "../../api/query.ts";
import { Field, Select } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { pathTo } from "../../kit/to.tsx";
import { say } from "../../kit/toast.tsx";
import { oneOf } from "../../kit/view.ts";
import { connectWords as says } from "../../words/en/mailboxes/connect.ts";
import { type Mailbox, RENEWS } from "./reads.ts";
import { Result, type Tried, triedIn } from "./tried.tsx";

type Connect = "post /mailboxes/connect";
type Given = Extract<In<Connect>, { action: "smtpTest" }>["credentials"];

interface Servers {
  smtpHost: string;
  smtpPort: string;
  imapHost: string;
  imapPort: string;
}
const NOWHERE: Servers = { smtpHost: "", smtpPort: "", imapHost: "", imapPort: "" };
const HIGHEST_PORT = 65_535;

/**
 * A form with address, password and servers. It tests each server separately; the mailbox is stored once both accept
 * the login.
 */
export function Credentials({ mailbox }: { mailbox: Mailbox | null }) {
  const navigate = useNavigate();
  const workspaceId = useWorkspaceId();
  const test = useWrite("post /mailboxes/connect", { renews: [] });
  const connect = useWrite("post /mailboxes/connect", { renews: RENEWS });
  const [servers, setServers] = useState(mailbox === null ? NOWHERE : serversOf(mailbox));
  /** True once the person typed servers, which then stay when the address changes. */
  const [isTyped, setTyped] = useState(mailbox !== null);
  const [wantsAppPassword, setWants] = useState(false);
  const [tried, setTried] = useState<Tried | null>(null);
  const typings = useRef(0);
  const isProven = tried?.smtp.ok === true && tried.imap.ok;

  /** Called when the form changes, because the result of the test no longer applies. */
  const forget = () => {
    typings.current++;
    setTried(null);
  };
  const guess = (address: string) => {
    const usual = usualServersOf(address);
    setWants(usual?.wantsAppPassword ?? false);
    if (isTyped || usual === null) return;
    const { smtpHost, smtpPort, imapHost, imapPort } = usual;
    setServers({ smtpHost, smtpPort: String(smtpPort), imapHost, imapPort: String(imapPort) });
  };
  const submit = async (values: FormValues) => {
    const credentials = credentialsIn(values);
    if (!isProven) {
      connect.clear();
      const typingsBefore = typings.current;
      const found = await test.run({ action: "smtpTest", credentials });
      if (typingsBefore === typings.current) setTried(found);
      return;
    }
    const stored = await connect.run(connectInput(mailbox, credentials));
    if (stored === null) return;
    say(says.connected(stored.email));
    await navigate({
      to: pathTo(workspaceId, "/mailboxes/$mailboxId", { mailboxId: stored.id }),
      search: { part: "dns" },
    });
  };
  const refusal = connect.refusal ?? test.refusal;
  const failed = connect.refusal?.code === "MAILBOX_CONNECTION_FAILED" ? triedIn(connect.refusal.details) : null;
  const shown = failed ?? tried;
  const field = (name: keyof Servers, label: string) => ({
    label,
    name: `credentials.${name}`,
    refusal,
    value: servers[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => {
      setTyped(true);
      setServers({ ...servers, [name]: value });
    },
  });
  const userName = (name: "username" | "smtpUsername", label: string, hint: string) => (
    <Field
      label={label}
      name={`credentials.${name}`}
      maxLength={320}
      autoComplete="off"
      defaultValue={mailbox?.[name] ?? ""}
      hint={hint}
      refusal={refusal}
    />
  );
  const port = { type: "number", min: 1, max: HIGHEST_PORT, hint: says.portHint } as const;
  return (
    <section aria-labelledby="credentials">
      <h2 id="credentials">{says.byPassword}</h2>
      <p>{mailbox === null ? says.byPasswordText : says.againText}</p>
      <div onInput={forget}>
        <Form
          act={isProven ? says.connect : says.test}
          isRunning={test.isRunning || connect.isRunning}
          refusal={failed === null ? refusal : null}
          fields={["credentials"]}
          onSubmit={(values) => void submit(values)}
        >
          <div className="columns">
            <Field
              label={says.address}
              name="credentials.email"
              type="email"
              required
              maxLength={254}
              autoComplete="off"
              readOnly={mailbox !== null}
              defaultValue={mailbox?.email ?? ""}
              refusal={refusal}
              onChange={({ currentTarget: { value } }) => guess(value)}
            />
            <Field
              label={says.password}
              name="credentials.password"
              type="password"
              required
              maxLength={1_000}
              autoComplete="new-password"
              refusal={refusal}
              {...(wantsAppPassword && { hint: says.appPassword })}
            />
            <Field {...field("smtpHost", says.smtpHost)} required maxLength={253} />
            <Field {...field("smtpPort", says.smtpPort)} {...port} />
            <Field {...field("imapHost", says.imapHost)} required maxLength={253} />
            <Field {...field("imapPort", says.imapPort)} {...port} />
            {userName("username", says.username, says.usernameHint)}
            {userName("smtpUsername", says.smtpUsername, says.smtpUsernameHint)}
            <Select
              label={says.security}
              name="credentials.security"
              refusal={refusal}
              defaultValue={mailbox === null ? "SSL_TLS" : securityOf(mailbox)}
              options={SECURITIES.map((value) => ({ value, text: says.securities[value] }))}
            />
            <Field
              label={says.name}
              name="credentials.name"
              maxLength={200}
              defaultValue={mailbox?.name ?? ""}
              refusal={refusal}
            />
          </div>
          {shown !== null && <Result tried={shown} />}
        </Form>
      </div>
    </section>
  );
}

function credentialsIn(values: FormValues): Given & { security: Security } {
  const text = (name: string) => values.text(`credentials.${name}`).trim();
  const port = (name: string) => (text(name) === "" ? {} : { [name]: Number(text(name)) });
  return {
    email: text("email"),
    password: values.text("credentials.password"),
    smtpHost: text("smtpHost"),
    imapHost: text("imapHost"),
    security: oneOf(SECURITIES, text("security")) ?? "SSL_TLS",
    ...port("smtpPort"),
    ...port("imapPort"),
    username: text("username") || null,
    smtpUsername: text("smtpUsername") || null,
    ...(text("name") !== "" && { name: text("name") }),
  };
}

/** The request to connect. A mailbox of one of the two providers keeps its provider when it is reconnected. */
function connectInput(mailbox: Mailbox | null, credentials: Given) {
  const { security: _, ...basic } = credentials;
  const { email, password, name, username, smtpUsername } = basic;
  if (mailbox?.provider === "PROVIDERA") {
    const account = { email, appPassword: password, username, smtpUsername, ...(name !== undefined && { name }) };
    return { action: "providerAAppPassword", providerA: account } as const;
  }
  if (mailbox?.provider === "PROVIDERB") return { action: "providerBSmtp", providerB: basic } as const;
  return { action: "smtpConnect", credentials } as const;
}

function serversOf({ smtp, imap }: Mailbox): Servers {
  return { smtpHost: smtp.host, smtpPort: String(smtp.port), imapHost: imap.host, imapPort: String(imap.port) };
}

/**
 * The encryption setting of a mailbox. The API accepts one setting for both servers; if they differ, SSL/TLS is used
 * and the ports decide.
 */
function securityOf({ smtp, imap }: Mailbox): Security {
  return smtp.security === imap.security ? smtp.security : "SSL_TLS";
}
