/** Words that greet by themselves: "Hi," is a greeting, "Hi ," has lost a name. */
export const GREETINGS = [
  ..."hi|hello|hey|hiya|howdy|greetings|good morning|good afternoon|good evening|good day".split("|"),
  ..."hallo|moin|servus|guten tag|guten morgen|guten abend|grüß gott|grüss gott|grüezi|grüß dich".split("|"),
  ..."bonjour|bonsoir|salut|coucou|rebonjour".split("|"),
  ..."hola|buenos días|buenos dias|buenas tardes|buenas".split("|"),
  ..."olá|ola|oi|bom dia|boa tarde|caro|cara|ciao|buongiorno|buonasera|salve|buondì".split("|"),
  ..."hoi|dag|beste|geachte|goedemorgen|goedemiddag|goedendag|goeiemorgen".split("|"),
  ..."cześć|czesc|witaj|dzień dobry|dzien dobry|hej|hejsan|god morgon|god dag|hei|moi|moikka|heippa|terve".split("|"),
  ..."dobrý den|ahoj|dobrý deň|merhaba|selam|günaydın|bună|bună ziua|szia|jó napot|zdravo|pozdrav|dragi|draga|milý|milá".split("|"),
  ..."привет|здравствуйте|добрый день|доброе утро|вітаю|привіт|добрий день|γεια σας|γεια σου|καλημέρα".split("|"),
];

/** Words that greet somebody by name, so that they are unfinished without one. */
export const ADDRESSES = [
  ..."dear|dearest|liebe|lieber|liebe\\(r\\)|liebe/r|lieber?\\*r|sehr geehrte|sehr geehrter|sehr geehrte\\(r\\)|sehr geehrte/r|werte|werter".split(
    "|",
  ),
  ..."cher|chère|chere|cher\\(e\\)|chèr\\(e\\)|estimado|estimada|estimado/a|estimad@|querido|querida|querido/a".split("|"),
  ..."caro/a|prezado|prezada|prezado\\(a\\)|prezado/a|gentile|egregio|gentilissimo|gentilissima".split("|"),
  ..."drogi|droga|szanowny|szanowna|kära|käre|bäste|kære|kjære|hyvä|vážený|vážená".split("|"),
  ..."sayın|sevgili|stimate|stimată|dragă|kedves|tisztelt|poštovani".split("|"),
  ..."уважаемый|уважаемая|дорогой|дорогая|шановний|шановна|дорогий|αγαπητέ|αγαπητή|αγαπητέ/ή".split("|"),
];

/** Titles that need a name behind them. "Madam" and "Monsieur" need none. */
export const TITLES = [
  ..."mr|mrs|ms|mx|mister|dr|prof|herr|frau|herrn|herr/frau|frau/herr|hr|fr|mme|mlle|sr|sra|srta|sig|sig\\.ra|dott|dott\\.ssa|dhr|mevr|mw".split(
    "|",
  ),
];
