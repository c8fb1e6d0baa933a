/** What the dialogs of the frame say: they are loaded after the page, or when they are wanted. */
export const sessionWords = {
  ended: "You were signed out",
  endedText:
    "Your session is over: it was ended elsewhere, or 12 hours have passed. What you typed is still here. Sign in in another tab, then go on.",
  signIn: "Sign in in another tab",
  goOn: "Go on",
  stillOut: "You are not signed in yet.",
} as const;

export const killSwitchWords = {
  stopTitle: "Stop all mail of this workspace?",
  stopEffect:
    "At once no mail of this workspace leaves any more: no campaign, no reply, no test mail. Running campaigns pause. Nothing is lost, and you can let it go on later.",
  stopAct: "Stop all mail now",
  resumeTitle: "Let mail leave again?",
  resumeEffect:
    "The campaigns that this stop paused go on, and no others. What came due meanwhile is spread over the coming hours, never sent all at once. Replies and test mails leave again.",
  resumeAct: "Let mail leave again",
  saidStopped: "No mail leaves any more.",
  saidResumed: "Mail leaves again.",
} as const;
