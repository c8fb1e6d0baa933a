import type { RequestHandler } from "express";

/**
 * Days for which a page keeps the cid unless its tag says otherwise: the attribution window of a campaign that names
 * none.
 */
const DAYS = 90;
const DAY = "864e5";

/**
 * What a customer's page loads as `/svc.js` (rules/tracking 5, docs/guides/conversions.md). It is served as it stands,
 * because a page waits for it: under 1,024 bytes, short names, and nothing newer than ES2020.
 *
 * `v` is what this page was landed with, cid and instant of its end in one text, kept under `k` in the page's own
 * storage while `on`, the consent, holds. `s` touches that storage: browsers may forbid it by throwing, and then `v`
 * serves for this page alone. What was called before the script had loaded stands in `o.q` and is done first, so that a
 * refusal comes before anything is kept. A call never throws and never rejects into the page: it resolves with the
 * result of the event, or with nothing. The body goes as text, which is read all the same: before JSON a browser asks
 * whether it may, and a page that is being left may be gone before the answer.
 */
const LINES = [
  "(()=>{",
  'let w=window,o=w.outreach,k="outreach_svc",d=document.currentScript,on=1,',
  "m=/[?&]svc=([0-9A-Za-z]{14})(&|$)/.exec(location.search),",
  `v=m?m[1]+" "+(Date.now()+(d.dataset.days||${DAYS})*${DAY}):"",`,
  'u=new URL("capi/v1/events",d.src),',
  "s=f=>{try{return f(localStorage)}catch{}},",
  "keep=()=>{v&&s(l=>l.setItem(k,v))},",
  "drop=()=>{s(l=>l.removeItem(k))},",
  'cid=()=>{let[c,t]=(v||s(l=>l.getItem(k))||"").split(" ");if(t>Date.now())return c;drop()},',
  "run=async(a,b)=>{try{",
  'if(a=="consent")(on=b===!0)?keep():drop();',
  'let c=a=="convert"&&on&&cid();',
  'if(c)return(await(await fetch(u,{method:"POST",keepalive:!0,credentials:"omit",',
  'body:JSON.stringify({events:[{event_name:b.event_name,event_id:b.event_id,action_source:"website",',
  "user_data:{cid:c},custom_data:{value:b.value,currency:b.currency}}]})})).json()).results[0]",
  "}catch{}};",
  "if(o&&o.on)return;",
  "w.outreach=run;run.on=1;",
  "for(let a of o&&o.q||[])run(...a);",
  "on&&(keep(),cid())",
  "})()",
];
const SVC_SCRIPT = Buffer.from(`${LINES.join("\n")}\n`);

/**
 * Pages of every origin load it, also those that take only what allows it; it is the same for everybody, so anybody may
 * keep it.
 */
const HEADERS = {
  "Content-Type": "text/javascript; charset=utf-8",
  "Cache-Control": "public, max-age=3600",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "Access-Control-Allow-Origin": "*",
  "X-Content-Type-Options": "nosniff",
};

/** `GET /svc.js`. It needs no database, so a page gets it while the service starts. */
export const svcScript: RequestHandler = (_req, res) => {
  res.locals["route"] = "/svc.js";
  res.set(HEADERS).send(SVC_SCRIPT);
};
