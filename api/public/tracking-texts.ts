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
    hidden: "This hidden link is in an email to detect programs that follow every link. You can close this page.",
    invalidTitle: "This link does not work",
    invalid: "It may be incomplete or changed. Open it again from the email, or ask the sender.",
    awayTitle: "Please try again",
    away: "The link is valid, but it cannot be opened at the moment. Please open it again in a few seconds.",
  },
  de: {
    hiddenTitle: "Hier ist nichts",
    hidden:
      "Dieser versteckte Link steht in einer E-Mail, um Programme zu erkennen, die jedem Link folgen. Sie können diese Seite schließen.",
    invalidTitle: "Dieser Link funktioniert nicht",
    invalid:
      "Er ist vielleicht unvollständig oder wurde verändert. Öffnen Sie ihn noch einmal aus der E-Mail, oder fragen Sie den Absender.",
    awayTitle: "Bitte noch einmal versuchen",
    away: "Der Link ist gültig, kann im Augenblick aber nicht geöffnet werden. Bitte öffnen Sie ihn in einigen Sekunden noch einmal.",
  },
  fr: {
    hiddenTitle: "Il n’y a rien ici",
    hidden:
      "Ce lien caché figure dans un e-mail pour détecter les programmes qui suivent tous les liens. Vous pouvez fermer cette page.",
    invalidTitle: "Ce lien ne fonctionne pas",
    invalid:
      "Il est peut-être incomplet ou a été modifié. Ouvrez-le à nouveau depuis l’e-mail, ou demandez à l’expéditeur.",
    awayTitle: "Veuillez réessayer",
    away: "Le lien est valide, mais il ne peut pas être ouvert pour le moment. Veuillez l’ouvrir à nouveau dans quelques secondes.",
  },
  es: {
    hiddenTitle: "Aquí no hay nada",
    hidden:
      "Este enlace oculto está en un correo para detectar programas que siguen todos los enlaces. Puede cerrar esta página.",
    invalidTitle: "Este enlace no funciona",
    invalid:
      "Puede que esté incompleto o que se haya modificado. Ábralo de nuevo desde el correo o pregunte al remitente.",
    awayTitle: "Inténtelo de nuevo",
    away: "El enlace es válido, pero ahora mismo no se puede abrir. Ábralo de nuevo dentro de unos segundos.",
  },
  it: {
    hiddenTitle: "Qui non c’è nulla",
    hidden:
      "Questo link nascosto si trova in un’e-mail per rilevare i programmi che seguono tutti i link. Può chiudere questa pagina.",
    invalidTitle: "Questo link non funziona",
    invalid: "Forse è incompleto o è stato modificato. Lo apra di nuovo dall’e-mail o chieda al mittente.",
    awayTitle: "Riprovi",
    away: "Il link è valido, ma al momento non può essere aperto. Lo apra di nuovo tra qualche secondo.",
  },
  pt: {
    hiddenTitle: "Aqui não há nada",
    hidden:
      "Este link oculto está num e-mail para detetar programas que seguem todos os links. Pode fechar esta página.",
    invalidTitle: "Este link não funciona",
    invalid: "Pode estar incompleto ou ter sido alterado. Abra-o de novo a partir do e-mail ou pergunte ao remetente.",
    awayTitle: "Tente de novo",
    away: "O link é válido, mas não pode ser aberto neste momento. Abra-o de novo dentro de alguns segundos.",
  },
  nl: {
    hiddenTitle: "Hier is niets",
    hidden:
      "Deze verborgen link staat in een e-mail om programma’s te herkennen die elke link volgen. U kunt deze pagina sluiten.",
    invalidTitle: "Deze link werkt niet",
    invalid: "Hij is misschien onvolledig of veranderd. Open hem nog eens vanuit de e-mail, of vraag het de afzender.",
    awayTitle: "Probeer het opnieuw",
    away: "De link is geldig, maar kan op dit moment niet worden geopend. Open hem over enkele seconden opnieuw.",
  },
};
