export function warmupText({
  openingId,
  turn,
  from,
  to,
}: {
  openingId: string;
  turn: number;
  language: string;
  from: { name: string | null; email: string };
  to: { name: string | null; email: string };
}) {
  const text = `Hello ${to.name ?? to.email},\n\nabout ${openingId}, turn ${turn}.\n\n${from.name ?? from.email}`;
  return { subject: `${turn > 1 ? "Re: " : ""}About ${openingId}`, text, html: `<p>${text}</p>` };
}
