import type { PEOPLE_ONLY } from "./settings.ts";

type PeopleOnly = (typeof PEOPLE_ONLY)[number];

const LEGAL =
  /\b(?:lawyers?|attorneys?|solicitors?|legal (?:action|counsel|department|steps|proceedings|team)|law ?suits?|sue you|court|cease and desist|data protection (?:authority|officer|commissioner)|gdpr|dsgvo|rgpd|ccpa|can-spam|subject access request|article 15|ftc)\b|(?<!\p{L})(?:anw[aä]lt\p{L}*|rechtsanw\p{L}*|abmahn\p{L}*|klage\b|verklag\p{L}*|gericht|rechtliche schritte|datenschutz\p{L}*|auskunft nach|avocat|poursuites|tribunal|mise en demeure|cnil|abogad\p{L}*|demand(?:a|ar)\b|acciones legales|avvocat\p{L}*|azioni legali|denuncia|advogad\p{L}*|processo judicial|ação judicial|advocaat|juridische stappen|rechtszaak|prawnik\p{L}*|adwokat\p{L}*|pozew|rodo|advokat\p{L}*|juridiska|rättslig\p{L}*|stämma er|domstol\p{L}*|polisanmäl\p{L}*|integritetsskyddsmyndigheten|datainspektionen)(?!\p{L})/iu;

const COMPLAINT =
  /\b(?:report(?:ed|ing)? (?:you|this|it) (?:as spam|to)|this is spam|stop spamming|spammers?|harass(?:ing|ment)?|complain(?:t|ts|ed|ing)?\b.{0,40}\b(?:about you|to|against|file|lodge)|(?:file|lodge|make) a complaint|where did you get my (?:e-?mail|address|data))\b|(?<!\p{L})(?:beschwer\p{L}*|belästig\p{L}*|woher haben sie (?:meine|unsere)|das ist spam|je vais (?:vous )?signaler|harc[eè]l\p{L}*|c'est du spam|denunciar\p{L}*|acoso|esto es spam|segnaler\p{L}*|molest(?:ia|ie|e)|reclamaç\p{L}*|klacht|dit is spam|skarg\p{L}*|klaga\p{L}*|klagomål|trakasser\p{L}*|(?:det här|detta) är (?:spam|skräppost)|anmäler (?:jag )?er|var fick ni (?:min|mitt|mina))(?!\p{L})/iu;

/**
 * Whether a mail threatens with law or complains of ours, so that only a person answers it (rules/agent 3.3). It is read by words, since
 * what decides that no model is asked cannot ask one; it would rather leave one mail more to people.
 */
export function readPeopleOnly(replyText: string): PeopleOnly | null {
  const text = replyText.slice(0, 20_000).normalize("NFC").replace(/[’‘`]/g, "'");
  if (LEGAL.test(text)) return "LEGAL";
  return COMPLAINT.test(text) ? "COMPLAINT" : null;
}
