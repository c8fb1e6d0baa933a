/** The languages of the page, the first for browsers that speak none of them. */
export const LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl"] as const;
export type Language = (typeof LANGUAGES)[number];

interface Texts {
  /** Also the text of the button. */
  unsubscribe: string;
  before: (address: string) => string;
  notMine: string;
  forwardedTitle: string;
  forwarded: (address: string) => string;
  back: string;
  doneTitle: string;
  done: (address: string) => string;
  already: (address: string) => string;
  invalidTitle: string;
  invalid: string;
  goneTitle: string;
  gone: string;
  failedTitle: string;
  failed: string;
  /** In the place of the address while the database cannot be asked for it. */
  someAddress: string;
}

export const TEXTS: Readonly<Record<Language, Texts>> = {
  en: {
    unsubscribe: "Unsubscribe",
    before: (address) =>
      `Nothing has happened yet. When you press the button, this sender will send no more emails to ${address}.`,
    notMine: "Not your address? Was the email forwarded to you?",
    forwardedTitle: "Nothing has happened",
    forwarded: (address) =>
      `This link only concerns ${address}, to which the email was sent. Nothing was changed for that address or for yours. You can close this page.`,
    back: "Back",
    doneTitle: "Unsubscribed",
    done: (address) =>
      `This sender will send no more emails to ${address}. An email that was already on its way may still arrive. You can close this page.`,
    already: (address) => `This sender sends no more emails to ${address}. There is nothing left to do.`,
    invalidTitle: "This link is not valid",
    invalid:
      "Nothing has happened. The link may have been cut or changed on its way: open it again from the email, or reply to the email with the single word “unsubscribe”.",
    goneTitle: "You will get no more emails",
    gone: "The sender of this email no longer uses this service, and all data was deleted, including your address. There is nothing left to do. You can close this page.",
    failedTitle: "That did not work",
    failed: "You are not unsubscribed yet. Please press the button again in a moment.",
    someAddress: "the address to which the email was sent",
  },
  de: {
    unsubscribe: "Abmelden",
    before: (address) =>
      `Noch ist nichts geschehen. Wenn Sie auf die Schaltfläche drücken, schreibt dieser Absender keine E-Mails mehr an ${address}.`,
    notMine: "Nicht Ihre Adresse? Wurde die E-Mail an Sie weitergeleitet?",
    forwardedTitle: "Es ist nichts geschehen",
    forwarded: (address) =>
      `Dieser Link betrifft allein ${address}; dorthin ging die E-Mail. Weder für diese Adresse noch für Ihre wurde etwas geändert. Sie können diese Seite schließen.`,
    back: "Zurück",
    doneTitle: "Abgemeldet",
    done: (address) =>
      `Dieser Absender schreibt keine E-Mails mehr an ${address}. Was schon unterwegs war, kann noch ankommen. Sie können diese Seite schließen.`,
    already: (address) => `Dieser Absender schreibt keine E-Mails mehr an ${address}. Es ist nichts weiter zu tun.`,
    invalidTitle: "Dieser Link ist ungültig",
    invalid:
      "Es ist nichts geschehen. Der Link wurde unterwegs vielleicht gekürzt oder verändert: Öffnen Sie ihn noch einmal aus der E-Mail, oder antworten Sie auf die E-Mail nur mit dem Wort „unsubscribe“.",
    goneTitle: "Es kommt nichts mehr",
    gone: "Der Absender dieser E-Mail nutzt diesen Dienst nicht mehr, und alles wurde gelöscht, auch Ihre Adresse. Es ist nichts weiter zu tun. Sie können diese Seite schließen.",
    failedTitle: "Das hat nicht geklappt",
    failed: "Sie sind noch nicht abgemeldet. Bitte drücken Sie gleich noch einmal auf die Schaltfläche.",
    someAddress: "die Adresse, an die die E-Mail ging",
  },
  fr: {
    unsubscribe: "Se désabonner",
    before: (address) =>
      `Rien n’a encore été fait. Si vous appuyez sur le bouton, cet expéditeur n’enverra plus d’e-mails à ${address}.`,
    notMine: "Ce n’est pas votre adresse ? L’e-mail vous a été transféré ?",
    forwardedTitle: "Rien n’a été fait",
    forwarded: (address) =>
      `Ce lien ne concerne que ${address}, à qui l’e-mail a été envoyé. Rien n’a été modifié, ni pour cette adresse ni pour la vôtre. Vous pouvez fermer cette page.`,
    back: "Retour",
    doneTitle: "Désabonnement effectué",
    done: (address) =>
      `Cet expéditeur n’enverra plus d’e-mails à ${address}. Un e-mail déjà en route peut encore arriver. Vous pouvez fermer cette page.`,
    already: (address) => `Cet expéditeur n’envoie plus d’e-mails à ${address}. Il n’y a plus rien à faire.`,
    invalidTitle: "Ce lien n’est pas valable",
    invalid:
      "Rien n’a été fait. Le lien a peut-être été coupé ou modifié en chemin : ouvrez-le à nouveau depuis l’e-mail, ou répondez à l’e-mail par le seul mot « unsubscribe ».",
    goneTitle: "Vous ne recevrez plus rien",
    gone: "L’expéditeur de cet e-mail n’utilise plus ce service, et tout a été supprimé, votre adresse aussi. Il n’y a plus rien à faire. Vous pouvez fermer cette page.",
    failedTitle: "Cela n’a pas fonctionné",
    failed: "Le désabonnement n’est pas encore fait. Veuillez appuyer de nouveau sur le bouton dans un instant.",
    someAddress: "l’adresse à laquelle l’e-mail a été envoyé",
  },
  es: {
    unsubscribe: "Darse de baja",
    before: (address) =>
      `Todavía no ha ocurrido nada. Si pulsa el botón, este remitente no enviará más correos a ${address}.`,
    notMine: "¿No es su dirección? ¿Le han reenviado el correo?",
    forwardedTitle: "No ha ocurrido nada",
    forwarded: (address) =>
      `Este enlace se refiere solo a ${address}, a donde se envió el correo. No se ha cambiado nada para esa dirección ni para la suya. Puede cerrar esta página.`,
    back: "Volver",
    doneTitle: "Baja realizada",
    done: (address) =>
      `Este remitente no enviará más correos a ${address}. Lo que ya estaba en camino todavía puede llegar. Puede cerrar esta página.`,
    already: (address) => `Este remitente ya no envía correos a ${address}. No hay nada más que hacer.`,
    invalidTitle: "Este enlace no es válido",
    invalid:
      "No ha ocurrido nada. Puede que el enlace se haya cortado o alterado por el camino: ábralo otra vez desde el correo o responda al correo con la única palabra «unsubscribe».",
    goneTitle: "No llegará nada más",
    gone: "El remitente de este correo ya no usa este servicio y todo se ha borrado, también su dirección. No queda nada por hacer. Puede cerrar esta página.",
    failedTitle: "No ha funcionado",
    failed: "La baja todavía no se ha realizado. Vuelva a pulsar el botón dentro de un momento.",
    someAddress: "la dirección a la que se envió el correo",
  },
  it: {
    unsubscribe: "Annulla l’iscrizione",
    before: (address) =>
      `Non è ancora successo nulla. Se preme il pulsante, questo mittente non scriverà più e-mail all’indirizzo ${address}.`,
    notMine: "Non è il suo indirizzo? L’e-mail le è stata inoltrata?",
    forwardedTitle: "Non è successo nulla",
    forwarded: (address) =>
      `Questo link riguarda solo l’indirizzo ${address}, a cui l’e-mail è stata inviata. Nulla è cambiato, né per quell’indirizzo né per il suo. Può chiudere questa pagina.`,
    back: "Indietro",
    doneTitle: "Iscrizione annullata",
    done: (address) =>
      `Questo mittente non scriverà più e-mail all’indirizzo ${address}. Ciò che era già in viaggio può ancora arrivare. Può chiudere questa pagina.`,
    already: (address) => `Questo mittente non scrive più e-mail all’indirizzo ${address}. Non c’è altro da fare.`,
    invalidTitle: "Questo link non è valido",
    invalid:
      "Non è successo nulla. Il link potrebbe essere stato tagliato o modificato lungo il percorso: lo riapra dall’e-mail, oppure risponda all’e-mail con la sola parola «unsubscribe».",
    goneTitle: "Non arriverà più nulla",
    gone: "Il mittente di questa e-mail non usa più questo servizio e tutto è stato cancellato, anche il suo indirizzo. Non resta nulla da fare. Può chiudere questa pagina.",
    failedTitle: "Non ha funzionato",
    failed: "L’iscrizione non è ancora annullata. Prema di nuovo il pulsante tra un momento.",
    someAddress: "a cui è stata inviata l’e-mail",
  },
  pt: {
    unsubscribe: "Cancelar a subscrição",
    before: (address) =>
      `Ainda não aconteceu nada. Ao carregar no botão, este remetente não enviará mais e-mails para ${address}.`,
    notMine: "Não é o seu endereço? O e-mail foi-lhe reencaminhado?",
    forwardedTitle: "Não aconteceu nada",
    forwarded: (address) =>
      `Este link diz respeito apenas a ${address}, para onde o e-mail foi enviado. Nada foi alterado, nem para esse endereço nem para o seu. Pode fechar esta página.`,
    back: "Voltar",
    doneTitle: "Subscrição cancelada",
    done: (address) =>
      `Este remetente não enviará mais e-mails para ${address}. O que já estava a caminho ainda pode chegar. Pode fechar esta página.`,
    already: (address) => `Este remetente já não envia e-mails para ${address}. Não há mais nada a fazer.`,
    invalidTitle: "Este link não é válido",
    invalid:
      "Não aconteceu nada. O link pode ter sido cortado ou alterado no caminho: abra-o de novo a partir do e-mail, ou responda ao e-mail apenas com a palavra “unsubscribe”.",
    goneTitle: "Não chegará mais nada",
    gone: "O remetente deste e-mail já não usa este serviço, e tudo foi apagado, também o seu endereço. Não há mais nada a fazer. Pode fechar esta página.",
    failedTitle: "Não funcionou",
    failed: "A subscrição ainda não foi cancelada. Carregue de novo no botão daqui a um momento.",
    someAddress: "o endereço para onde o e-mail foi enviado",
  },
  nl: {
    unsubscribe: "Afmelden",
    before: (address) =>
      `Er is nog niets gebeurd. Als u op de knop drukt, schrijft deze afzender geen e-mails meer aan ${address}.`,
    notMine: "Niet uw adres? Is de e-mail naar u doorgestuurd?",
    forwardedTitle: "Er is niets gebeurd",
    forwarded: (address) =>
      `Deze link gaat alleen over ${address}; daarheen is de e-mail gestuurd. Er is niets veranderd, niet voor dat adres en niet voor het uwe. U kunt deze pagina sluiten.`,
    back: "Terug",
    doneTitle: "Afgemeld",
    done: (address) =>
      `Deze afzender schrijft geen e-mails meer aan ${address}. Wat al onderweg was, kan nog aankomen. U kunt deze pagina sluiten.`,
    already: (address) => `Deze afzender schrijft geen e-mails meer aan ${address}. U hoeft niets meer te doen.`,
    invalidTitle: "Deze link is niet geldig",
    invalid:
      "Er is niets gebeurd. De link is onderweg misschien afgebroken of veranderd: open hem nog eens vanuit de e-mail, of beantwoord de e-mail met alleen het woord “unsubscribe”.",
    goneTitle: "Er komt niets meer",
    gone: "De afzender van deze e-mail gebruikt deze dienst niet meer en alles is verwijderd, ook uw adres. U hoeft niets meer te doen. U kunt deze pagina sluiten.",
    failedTitle: "Dat is niet gelukt",
    failed: "U bent nog niet afgemeld. Druk zo meteen nog eens op de knop.",
    someAddress: "het adres waar de e-mail heen ging",
  },
};
