import type { Language } from "./unsubscribe-texts.ts";

interface Texts {
  hiddenTitle: string;
  hidden: string;
  invalidTitle: string;
  invalid: string;
  awayTitle: string;
  away: string;
}

/** The pages of links that lead to no target. */
export const TRACKING_TEXTS: Readonly<Record<Language, Texts>> = {
  en: {
    hiddenTitle: "There is nothing here",
    hidden: "This link is in an email for programs that follow every link. You can close this page.",
    invalidTitle: "This link does not work",
    invalid: "It may have been cut or changed on its way. Open it again from the email, or ask the sender.",
    awayTitle: "Please try again",
    away: "The link is valid, but it cannot be opened at the moment. Please open it again in a few seconds.",
  },
  de: {
    hiddenTitle: "Hier ist nichts",
    hidden:
      "Diese Adresse steht in einer E-Mail für Programme, die jedem Link folgen. Sie können diese Seite schließen.",
    invalidTitle: "Dieser Link führt nirgendwohin",
    invalid:
      "Er wurde unterwegs vielleicht gekürzt oder verändert. Öffnen Sie ihn noch einmal aus der E-Mail, oder fragen Sie den Absender.",
    awayTitle: "Bitte noch einmal versuchen",
    away: "Der Link ist gültig, kann im Augenblick aber nicht geöffnet werden. Bitte öffnen Sie ihn in einigen Sekunden noch einmal.",
  },
  fr: {
    hiddenTitle: "Il n’y a rien ici",
    hidden:
      "Cette adresse figure dans un e-mail pour les programmes qui suivent tous les liens. Vous pouvez fermer cette page.",
    invalidTitle: "Ce lien ne mène nulle part",
    invalid:
      "Il a peut-être été coupé ou modifié en route. Ouvrez-le à nouveau depuis l’e-mail, ou demandez à l’expéditeur.",
    awayTitle: "Veuillez réessayer",
    away: "Le lien est valide, mais il ne peut pas être suivi pour le moment. Veuillez l’ouvrir à nouveau dans quelques secondes.",
  },
  es: {
    hiddenTitle: "Aquí no hay nada",
    hidden:
      "Esta dirección está en un correo para los programas que siguen todos los enlaces. Puede cerrar esta página.",
    invalidTitle: "Este enlace no lleva a ninguna parte",
    invalid:
      "Puede que se haya cortado o cambiado por el camino. Ábralo de nuevo desde el correo o pregunte al remitente.",
    awayTitle: "Inténtelo de nuevo",
    away: "El enlace es válido, pero ahora mismo no se puede seguir. Ábralo de nuevo dentro de unos segundos.",
  },
  it: {
    hiddenTitle: "Qui non c’è nulla",
    hidden:
      "Questo indirizzo si trova in un’e-mail per i programmi che seguono tutti i link. Può chiudere questa pagina.",
    invalidTitle: "Questo link non porta da nessuna parte",
    invalid: "Forse è stato tagliato o modificato durante l’invio. Lo apra di nuovo dall’e-mail o chieda al mittente.",
    awayTitle: "Riprovi",
    away: "Il link è valido, ma al momento non può essere seguito. Lo apra di nuovo tra qualche secondo.",
  },
  pt: {
    hiddenTitle: "Aqui não há nada",
    hidden: "Este endereço está num e-mail para os programas que seguem todas as ligações. Pode fechar esta página.",
    invalidTitle: "Esta ligação não leva a lado nenhum",
    invalid:
      "Pode ter sido cortada ou alterada pelo caminho. Abra-a de novo a partir do e-mail ou pergunte ao remetente.",
    awayTitle: "Tente de novo",
    away: "A ligação é válida, mas não pode ser seguida neste momento. Abra-a de novo dentro de alguns segundos.",
  },
  nl: {
    hiddenTitle: "Hier is niets",
    hidden: "Dit adres staat in een e-mail voor programma’s die elke link volgen. U kunt deze pagina sluiten.",
    invalidTitle: "Deze link leidt nergens heen",
    invalid:
      "Hij is onderweg misschien afgekapt of veranderd. Open hem nog eens vanuit de e-mail, of vraag het de afzender.",
    awayTitle: "Probeer het opnieuw",
    away: "De link is geldig, maar kan op dit moment niet worden gevolgd. Open hem over enkele seconden opnieuw.",
  },
};
