/** Names that are free-mail providers under every suffix: yahoo.com, yahoo.co.uk, gmx.net. */
const BRANDS = new Set(
  [
    "gmail googlemail yahoo ymail rocketmail hotmail outlook live msn windowslive passport aol gmx yandex icloud",
    "protonmail tutanota tuta mailbox zohomail fastmail hushmail rediffmail laposte libero virgilio tiscali wanadoo",
    "bluewin freenet t-online arcor seznam hotmai naver daum hanmail sina sohu foxmail rambler ukr onet interia",
  ]
    .join(" ")
    .split(" "),
);

const DOMAINS = new Set(
  [
    "me.com mac.com aim.com mail.com email.com usa.com post.com pm.me proton.me proton.ch zoho.com zoho.eu ya.ru mail.ru bk.ru",
    "inbox.ru list.ru internet.ru qq.com 163.com 126.com yeah.net 139.com 189.cn 21cn.com tom.com aliyun.com nate.com web.de",
    "email.de mail.de posteo.de posteo.net online.de 1und1.de vodafone.de kabelmail.de orange.fr free.fr sfr.fr neuf.fr bbox.fr",
    "numericable.fr club-internet.fr alice.it tin.it inwind.it iol.it email.it fastwebnet.it poste.it tim.it ziggo.nl kpnmail.nl",
    "planet.nl home.nl hetnet.nl xs4all.nl chello.nl telenet.be skynet.be proximus.be wp.pl o2.pl op.pl poczta.fm gazeta.pl vp.pl",
    "centrum.cz email.cz post.cz azet.sk abv.bg mail.bg i.ua meta.ua bigmir.net sapo.pt uol.com.br bol.com.br terra.com.br",
    "ig.com.br globo.com globomail.com r7.com btinternet.com btopenworld.com sky.com talktalk.net virginmedia.com ntlworld.com",
    "blueyonder.co.uk o2.co.uk comcast.net xfinity.com verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net",
    "spectrum.net earthlink.net optonline.net optimum.net juno.com netzero.net frontier.com windstream.net shaw.ca rogers.com",
    "sympatico.ca telus.net videotron.ca bigpond.com bigpond.net.au optusnet.com.au iinet.net.au tpg.com.au xtra.co.nz docomo.ne.jp",
    "ezweb.ne.jp softbank.ne.jp nifty.com excite.co.jp walla.co.il walla.com online.no bredband.net telia.com spray.se hey.com",
    "inbox.com inbox.lv mail.ee hot.ee duck.com privaterelay.appleid.com mailinator.com guerrillamail.com yopmail.com",
    "runbox.com disroot.org riseup.net simplelogin.com mailfence.com startmail.com lycos.com excite.com freemail.hu citromail.hu",
  ]
    .join(" ")
    .split(" "),
);

/** Whether anyone can get an address at a registrable domain, so that the domain does not name a company. */
export function isFreeMail(domain: string): boolean {
  return DOMAINS.has(domain) || BRANDS.has(domain.split(".")[0] ?? "");
}
