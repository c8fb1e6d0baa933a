import type { RequestHandler } from "express";

/**
 * Days for which a page keeps the cid unless its tag sets another time. Equals the default attribution window of a
 * campaign.
 */
const DAYS = 90;
const DAY = "864e5";

/**
 * The script that a customer's page loads as `/svc.js` (rules/tracking 5, docs/guides/conversions.md). It is served
 * unchanged and a page waits for it, so it has under 1,024 bytes, short names, and nothing newer than ES2020.
 *
 * `v` is the cid with which the visitor landed and the instant when it expires, in one text. It is stored under `k` in
 * the page's own storage while `on`, the consent, holds. `s` accesses that storage: a browser may forbid it by
 * throwing, and then `v` works for this page only. Calls made before the script had loaded are in `o.q` and run first,
 * so that a refusal comes before anything is stored. A call never throws and never rejects into the page: it resolves
 * with the result of the event, or with nothing. The body is sent as text, which the server reads all the same: before
 * it sends JSON, a browser first asks the server for permission, and the visitor may leave the page before the
 * response.
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
 * Pages of every origin may load the script, also those with strict cross-origin isolation. It is the same for
 * everyone, so any cache may store it.
 */
const HEADERS = {
  "Content-Type": "text/javascript; charset=utf-8",
  "Cache-Control": "public, max-age=3600",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "Access-Control-Allow-Origin": "*",
  "X-Content-Type-Options": "nosniff",
};

/** `GET /svc.js`. It needs no database, so pages get it also while the service starts. */
export const svcScript: RequestHandler = (_req, res) => {
  res.locals["route"] = "/svc.js";
  res.set(HEADERS).send(SVC_SCRIPT);
};
