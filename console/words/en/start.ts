/** What the start page says. */
export const startWords = {
  title: "Start",
  lead: "From here to the first mail. Each line is read from the state of the workspace and ticks itself.",
  done: "done",
  open: "open",
  allDone: "Everything is set up: mail goes out.",
  steps: {
    address: "A postal address for the footer of each mail, as the law asks",
    mailbox: "A mailbox that can send",
    dns: "DNS records that let its mail through",
    leads: "People to write to",
    campaign: "A campaign with a text, people and a mailbox",
    launch: "The launch",
  },
  recent: "Campaigns",
  figures: { people: "People", sent: "Mails sent", replied: "Replies", positive: "Good replies" },
} as const;

/** What is said where the postal address is given. */
export const postalWords = {
  open: "Give it…",
  title: "The postal address of each footer",
  label: "Postal address",
  hint: "Name, street, town and country, as they stand in the footer of each campaign mail. Up to 500 characters.",
  act: "Save",
  said: "The address stands in the footer of each mail from now on.",
} as const;
