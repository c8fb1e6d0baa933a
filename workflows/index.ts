export { campaign } from "./campaign.ts";
export { recipient } from "./recipient.ts";
export { singleSend } from "./single-send.ts";
