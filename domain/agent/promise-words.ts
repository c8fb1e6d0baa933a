import type { Chrono } from "chrono-node";
// The package is not imported whole, because it reads eight more languages and takes twice as long to load
import * as de from "chrono-node/de";
import * as en from "chrono-node/en";
import * as es from "chrono-node/es";
import * as fr from "chrono-node/fr";
import * as it from "chrono-node/it";
import * as nl from "chrono-node/nl";
import * as pt from "chrono-node/pt";
import * as sv from "chrono-node/sv";

/** How one language says that somebody is to be written to again, and when. */
export interface PromiseLanguage {
  /** A request to write again, an announcement to do so, or that now is not the time. */
  again: RegExp;
  /** The same words about the past, or denied. */
  never: RegExp;
  /** "After the 15th": the day of a month without its month, in the first group. */
  afterDay: RegExp;
  nextWeek: RegExp;
  nextMonth: RegExp;
  nextQuarter: RegExp;
  nextYear: RegExp;
  afterSummer: RegExp;
  afterHolidays: RegExp;
  /** Words that make the day after a date the one that is meant. */
  after: RegExp;
  /** Names of the months, from January on, each as a beginning. */
  months: string;
  dates: Pick<Chrono, "parse">;
}

export const PROMISE_LANGUAGES: readonly PromiseLanguage[] = [
  {
    again:
      /\b(?:(?:write|e-?mail|mail|contact|ping|call|message|remind|try|ask|reach|chase|nudge|check|circle|come|touch|get|follow|talk|speak|revisit|reconnect|pick)\b.{0,50}|(?:not|n't) (?:until|till|before)|(?:better|good|right) time|(?:budget|project|decision|contract|discussion)s? .{0,40}\b(?:opens?|starts?|renews?|ends?|expires?))/iu,
    never:
      /\b(?:(?:don't|do not|never|please stop|stop|no longer) (?:ever )?(?:write|e-?mail|mail|contact|ping|call|message|try|reach|follow)|(?:wrote|e-?mailed|mailed|contacted|called|pinged|talked|spoke|checked|reached out|followed up)\b|(?:have|has|had) (?:already |been |recently )?(?:written|contacted|called|reached|spoken|talked|tried))/iu,
    afterDay: /\bafter the (\d{1,2})(?:st|nd|rd|th)(?! (?:of )?\p{L}{3,9}uary| (?:of )?(?:mar|apr|may|jun|jul|aug|sep|oct|nov|dec))/iu,
    nextWeek: /\bnext week\b/iu,
    nextMonth: /\bnext month\b/iu,
    nextQuarter: /\bnext quarter\b/iu,
    nextYear: /\b(?:next|new) year\b/iu,
    afterSummer: /\bafter (?:the )?summer\b/iu,
    afterHolidays: /\bafter (?:the )?(?:holidays|christmas|xmas)\b/iu,
    after: /\bafter\b/iu,
    months: "jan feb mar apr may jun jul aug sep oct nov dec",
    dates: en,
  },
  {
    again:
      /(?<!\p{L})(?:meld\p{L}*|schreib\p{L}*|kontaktier\p{L}*|ruf\p{L}*|anruf\p{L}*|nachfrag\p{L}*|frag\p{L}*|nachhak\p{L}*|hak\p{L}*|erinner\p{L}*|komm\p{L}* .{0,60}(?:zu|zurück)|sprech\p{L}*|versuch\p{L}*|(?:erst|nicht vor) |wieder (?:auf|interessant|relevant))/iu,
    never:
      /(?<!\p{L})(?:(?:schreiben|kontaktieren|rufen|melden) sie (?:mir|mich|uns|sich)? ?(?:bitte )?nicht(?! vor)|(?:habe|haben|hatte|hatten) .{0,80}(?:geschrieben|gemeldet|kontaktiert|gesprochen|telefoniert|angerufen)|nie wieder|keine weiteren)/iu,
    afterDay: /(?<!\p{L})(?:nach dem|ab dem) (\d{1,2})\.(?!\s?(?:\d|jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez))/iu,
    nextWeek: /(?<!\p{L})(?:nächste\p{L}*|kommende\p{L}*) woche/iu,
    nextMonth: /(?<!\p{L})(?:nächste\p{L}*|kommende\p{L}*) monat/iu,
    nextQuarter: /(?<!\p{L})(?:nächste\p{L}*|kommende\p{L}*) quartal/iu,
    nextYear: /(?<!\p{L})(?:nächste\p{L}*|kommende\p{L}*|neue\p{L}*) jahr/iu,
    afterSummer: /nach (?:dem sommer\p{L}*|der sommerpause|den sommerferien)/iu,
    afterHolidays: /nach (?:den feiertagen|weihnachten|den weihnachtsferien)/iu,
    after: /(?<!\p{L})nach(?!\p{L})/iu,
    months: "jan feb mär apr mai jun jul aug sep okt nov dez",
    dates: de,
  },
  {
    again:
      /(?<!\p{L})(?:recontact\p{L}*|contact\p{L}*|écri\p{L}*|réécri\p{L}*|relanc\p{L}*|rappel\p{L}*|appel\p{L}*|revenez|reviens|reviendr\p{L}*|revenir|repren\p{L}*|reparl\p{L}*|pas avant)/iu,
    never:
      /(?<!\p{L})(?:ne (?:me |nous )?(?:contact|écri|recontact|relanc|rappel|appel)\p{L}* (?:plus|pas(?! avant))|(?:ai|avons|avez|a) (?:déjà )?(?:contacté|écrit|appelé|parlé|rappelé|relancé))/iu,
    afterDay: /après le (\d{1,2})(?! ?(?:jan|fév|mar|avr|mai|juin|juil|aoû|sep|oct|nov|déc|\/|\.\d))/iu,
    nextWeek: /semaine prochaine/iu,
    nextMonth: /mois prochain/iu,
    nextQuarter: /(?:prochain trimestre|trimestre prochain)/iu,
    nextYear: /(?:année prochaine|l'an prochain|nouvelle année)/iu,
    afterSummer: /(?:après l'été|à la rentrée|après les vacances d'été)/iu,
    afterHolidays: /après (?:les fêtes|noël)/iu,
    after: /(?<!\p{L})après/iu,
    months: "janv fév mars avr mai juin juil aoû sept oct nov déc",
    dates: fr,
  },
  {
    again:
      /(?<!\p{L})(?:escr[ií]b\p{L}*|contact\p{L}*|cont[aá]ct\p{L}*|ll[aá]m\p{L}*|recu[eé]rd\p{L}*|hablamos|hablar|hablemos|vuelv\p{L}*|volv\p{L}*|retom\p{L}*|no antes|insist\p{L}*)/iu,
    never:
      /(?<!\p{L})(?:no (?:me|nos) (?:escrib|contact|llam)\p{L}*(?! antes)|(?:escribí|contacté|llamé|hablé|escribimos|hablamos ayer)|(?:he|hemos|ha|han) (?:ya )?(?:escrito|contactado|llamado|hablado))/iu,
    afterDay: /después del (?:día )?(\d{1,2})(?! de \p{L})/iu,
    nextWeek: /(?:próxima semana|semana que viene|semana próxima)/iu,
    nextMonth: /(?:próximo mes|mes que viene|mes próximo)/iu,
    nextQuarter: /(?:próximo trimestre|trimestre que viene)/iu,
    nextYear: /(?:próximo año|año que viene|año próximo|año nuevo)/iu,
    afterSummer: /(?:después del verano|tras el verano)/iu,
    afterHolidays: /después de (?:las fiestas|navidad(?:es)?)/iu,
    after: /(?<!\p{L})(?:después|tras)(?!\p{L})/iu,
    months: "ene feb mar abr may jun jul ago sep oct nov dic",
    dates: es,
  },
  {
    again:
      /(?<!\p{L})(?:scriv\p{L}*|riscriv\p{L}*|contatt\p{L}*|ricontatt\p{L}*|richiam\p{L}*|chiam\p{L}*|risent\p{L}*|sentiamo|ricord\p{L}*|riprend\p{L}*|non prima|torn\p{L}*)/iu,
    never:
      /(?<!\p{L})(?:non (?:mi|ci) (?:scriv|contatt|chiam)\p{L}* (?:più|mai)|non (?:scrivetemi|contattatemi|chiamatemi)|(?:ho|abbiamo|ha|hanno) (?:già )?(?:scritto|contattato|chiamato|sentito|parlato))/iu,
    afterDay: /dopo il (\d{1,2})(?! ?(?:gen|feb|mar|apr|mag|giu|lug|ago|set|ott|nov|dic|\/|\.\d))/iu,
    nextWeek: /(?:prossima settimana|settimana prossima)/iu,
    nextMonth: /(?:prossimo mese|mese prossimo)/iu,
    nextQuarter: /(?:prossimo trimestre|trimestre prossimo)/iu,
    nextYear: /(?:prossimo anno|anno prossimo|anno nuovo|nuovo anno)/iu,
    afterSummer: /dopo l'estate/iu,
    afterHolidays: /dopo (?:le feste|natale|le festività)/iu,
    after: /(?<!\p{L})dopo(?!\p{L})/iu,
    months: "gen feb mar apr mag giu lug ago set ott nov dic",
    dates: it,
  },
  {
    again:
      /(?<!\p{L})(?:escrev\p{L}*|contat\p{L}*|contact\p{L}*|lig(?:ue|ar|uem|a)\p{L}*|fal(?:ar|amos|e|emos)\p{L}*|retom\p{L}*|retorn\p{L}*|volt\p{L}*|lembr\p{L}*|não antes)/iu,
    never:
      /(?<!\p{L})(?:não (?:me|nos) (?:escrev|contat|contact|lig)\p{L}*(?! antes)|(?:escrevi|contatei|liguei|falei|escrevemos)|(?:tenho|temos) (?:já )?(?:escrito|contatado|falado))/iu,
    afterDay: /depois do dia (\d{1,2})(?! de \p{L})/iu,
    nextWeek: /(?:próxima semana|semana que vem)/iu,
    nextMonth: /(?:próximo mês|mês que vem)/iu,
    nextQuarter: /(?:próximo trimestre|trimestre que vem)/iu,
    nextYear: /(?:próximo ano|ano que vem|ano novo)/iu,
    afterSummer: /depois do verão/iu,
    afterHolidays: /depois (?:das festas|do natal)/iu,
    after: /(?<!\p{L})(?:depois|após)(?!\p{L})/iu,
    months: "jan fev mar abr mai jun jul ago set out nov dez",
    dates: pt,
  },
  {
    again:
      /(?<!\p{L})(?:schrijf\p{L}*|mail|e-mail|contacteer|neem .{0,40}contact|contact op|bel\p{L}*|herinner\p{L}*|kom .{0,40}terug|terugkom\p{L}*|vraag\p{L}*|probeer\p{L}*|niet (?:voor|vóór))/iu,
    never:
      /(?<!\p{L})(?:(?:schrijf|mail|bel|contacteer) (?:mij|me|ons) (?:niet|nooit)|(?:heb|hebben|heeft|had) .{0,80}(?:geschreven|gemaild|gebeld|gesproken|gecontacteerd))/iu,
    afterDay: /na de (\d{1,2})(?:e|ste|de)(?! (?:jan|feb|maa|apr|mei|jun|jul|aug|sep|okt|nov|dec))/iu,
    nextWeek: /volgende week/iu,
    nextMonth: /volgende maand/iu,
    nextQuarter: /volgend kwartaal/iu,
    nextYear: /(?:volgend|nieuwe?) jaar/iu,
    afterSummer: /na de (?:zomer\p{L}*)/iu,
    afterHolidays: /na de (?:feestdagen|kerst\p{L}*)|na kerst/iu,
    after: /(?<!\p{L})na(?!\p{L})/iu,
    months: "jan feb maa apr mei jun jul aug sep okt nov dec",
    dates: nl,
  },
  {
    again:
      /(?<!\p{L})(?:skriv\p{L}*|kontakta\p{L}*|mejla\p{L}*|maila\p{L}*|ring\p{L}*|hör\p{L}* .{0,30}av|återkom\p{L}*|påminn\p{L}*|ta .{0,20}kontakt|tar .{0,20}kontakt|prata\p{L}*|inte förrän|fråga\p{L}*)/iu,
    never:
      /(?<!\p{L})(?:(?:skriv|kontakta|mejla|maila|ring) (?:mig|oss)? ?(?:inte(?! förrän)|aldrig)|(?:har|hade) .{0,60}(?:skrivit|mejlat|mailat|ringt|pratat|kontaktat)|(?:skrev|ringde|mejlade|kontaktade))/iu,
    afterDay: /efter den (\d{1,2})(?::e)?(?! (?:jan|feb|mar|apr|maj|jun|jul|aug|sep|okt|nov|dec))/iu,
    nextWeek: /nästa vecka/iu,
    nextMonth: /nästa månad/iu,
    nextQuarter: /nästa kvartal/iu,
    nextYear: /(?:nästa|nya) år/iu,
    afterSummer: /efter sommar\p{L}*/iu,
    afterHolidays: /efter (?:jul\p{L}*|helgerna)/iu,
    after: /(?<!\p{L})efter(?!\p{L})/iu,
    months: "jan feb mar apr maj jun jul aug sep okt nov dec",
    dates: sv,
  },
];

/** Words by which a mail sends us to somebody else, in those languages. */
export const REFERS =
  /(?<!\p{L})(?:(?:please |pls |kindly )(?:e-?mail|contact|write|ask|try|cc|include)|(?:contact|ask|reach(?: out)?|write|talk|speak|get in touch|connect|try|forward\p{L}*|direct|address) .{0,60}|colleague|responsible|in charge|handles?|takes? care|taken over|right person|best person|my successor|kolleg\p{L}*|zuständig\p{L}*|ansprechpartner\p{L}*|wenden sie|schreiben sie|kontaktieren sie|fragen sie|verantwortlich\p{L}*|nachfolg\p{L}*|collègue|responsable|contactez|écrivez|adressez|veuillez contacter|compañer\p{L}*|contacte|escriba|encargad\p{L}*|diríjase|collega|responsabile|contatti|contattare|scriva|si rivolga|rivolgersi|colega|respons[aá]vel|contate|fale com|escreva|verantwoordelijk\p{L}*|neem contact|mail naar|kolleg\p{L}*|ansvarig\p{L}*|kontakta|hör av dig till)/iu;
export const REFERS_NOT =
  /(?<!\p{L})(?:(?:don't|do not|never) (?:contact|write|e-?mail|ask|forward|cc)|nicht (?:mehr )?(?:an|bei)|ne contactez pas|no contacte|non contatti|não contate|niet mailen|kontakta inte)/iu;

/** Without any word of these, nobody has to look further. */
export function mayPromise(text: string): boolean {
  return PROMISE_LANGUAGES.some(({ again }) => again.test(text));
}
