import type { Scenario } from "./scenario.ts";

/** French conversations about calls, meetings and visits. */
export const FRENCH_MEETINGS: readonly Scenario[] = [
  {
    name: "confirm a call",
    details: {
      topic:
        "la nouvelle fiche de commande|la planification du printemps|la répartition des rayons|la livraison d'essai|la formation interne",
    },
    subject: "{Notre appel|Appel|Notre échange} de [day]{| à [time]|, confirmation}",
    turns: [
      "Je {voudrais|souhaite} {simplement |}confirmer {notre appel|notre échange} de [day] à [time] sur [topic]. {Cet horaire|Ce créneau} vous convient-il {toujours|encore}, ou {faut-il|devons-nous} {chercher|prévoir} {une autre heure|un autre moment}, {plus tôt|plus tard} dans la {journée|semaine} ?",
      "L'{appel|échange} de [day] à [time] {me convient|est bien noté|figure dans mon agenda}. {Je relirai|Nous relirons} {d'abord|entre-temps} {nos notes|les documents} sur [topic], {si bien que|et je pense que} trente minutes {devraient suffire|suffiront} {largement|sans doute}.",
      "{Trente minutes|Cette durée} me {paraît suffisante|semble suffisante}. {Je vous appellerai|Notre bureau vous appellera} [day] {au numéro habituel|à votre poste|au bureau}, et {quelqu'un de l'équipe|une personne du service} {écoutera peut-être|pourrait écouter} {le début|les premières minutes}, {si vous êtes d'accord|si cela vous va}.",
      "{Bien sûr|Naturellement|Avec plaisir}, {votre équipe peut|vos collègues peuvent} {écouter|se joindre à nous}. [day], {dès|un peu avant} [time], je {serai|resterai} {à mon bureau|à mon poste}, et nous {pourrons|allons} {commencer|ouvrir} {aussitôt|tout de suite} {par|avec} [topic].",
    ],
  },
  {
    name: "move a meeting",
    details: { reason: "une livraison|une formation interne|une visite du siège|un inventaire|un contrôle technique" },
    subject: "{Report de notre réunion|Notre réunion|Nouvelle date}{| : [day2] au lieu de [day]|, [day]}",
    turns: [
      "{Malheureusement,|À notre regret,} nous avons {finalement |}[reason] [day], {juste|exactement} {à l'heure|au moment} de notre {réunion|rencontre}. {Pourrions-nous|Serait-il possible de} la {reporter|déplacer} à [day2], [time], {au même endroit|avec les mêmes personnes|dans le même cadre} ?",
      "{Aucun souci|Cela ne pose aucun problème|C'est tout à fait possible}. [day2] à [time] {nous convient|nous va bien}, et {j'ai|nous avons} {déjà |}{modifié|déplacé} la date dans {l'agenda commun|notre agenda}. {Gardons-nous|Faut-il garder} une heure {pleine|entière} {comme prévu|comme au départ} ?",
      "Oui, une heure {suffira|sera bien|convient}. {Toutes les personnes|Toutes les équipes} concernées {savent|ont appris} que nous nous {verrons|retrouverons} [day2] au lieu de [day], et {les sujets|les points prévus} {restent|demeurent} {inchangés|les mêmes}.",
      "{Tout est donc réglé|Voilà qui est réglé}. {Notre salle|La salle} est réservée {à partir de|pour} [time], {le café et l'eau seront prêts|les boissons seront prêtes}. {Pour|Quant à} l'autre rendez-vous de [day], {j'espère|nous espérons} que tout {ira|se passera} {bien|pour le mieux}.",
    ],
  },
  {
    name: "another room",
    details: {
      why: "de travaux de peinture|de la réparation du chauffage|de la pose d'un sol neuf|d'un projecteur en panne|d'un groupe plus nombreux à côté",
    },
    subject: "{Autre salle|Changement de salle|Nouvelle salle} pour [day]",
    turns: [
      "En raison [why], nous {devons|allons} changer de salle [day] : {la réunion|notre rencontre} {aura lieu|commencera} à [time] dans [room]. {Pourriez-vous|Voudriez-vous} {prévenir|en informer} {vos collègues|les autres personnes}, et {me dire|nous dire} combien {vous serez|de personnes viendront} ?",
      "{C'est transmis|Tout le monde est au courant} : [day], [time], [room]. Nous serons [count], {dont une personne qui|mais une personne} {arrivera|viendra} {un peu|légèrement} {plus tard|en retard}. L'entrée est-elle {toujours |}{la même que|au même endroit que} {la dernière fois|d'habitude} ?",
      "L'entrée {n'a pas changé|reste la même}. {Depuis l'accueil|De l'accueil}, {suivez|il suffit de suivre} les {flèches|panneaux} {jusqu'à|vers} [room], où {nous avons mis|vous trouverez} [count] chaises et {quelques autres|deux de plus} {autour de la table|en demi-cercle}.",
      "{C'est bon à savoir|Cela nous aide|Voilà qui est simple}, nous {trouverons|saurons trouver} {sans peine|facilement}. [day], nous {pensons|comptons} être {là|sur place} {quelques minutes|un peu} avant [time], pour que {chacun|tout le monde} {s'installe|prenne place} {au calme|sans hâte}.",
    ],
  },
  {
    name: "agenda",
    details: { item: "la question des délais|la gestion des congés|la présentation des essais|la liste des formulaires|la place au dépôt" },
    subject: "Ordre du jour {de [day]|pour [day]|de notre réunion}",
    turns: [
      "Pour {notre réunion|notre rencontre} de [day], {j'ai préparé|voici} un {bref|premier} ordre du jour : {d'abord|pour commencer} {un bilan|un retour sur le mois}, {ensuite|puis} [item], {enfin|et à la fin} {les questions ouvertes|les prochaines étapes}. Manque-t-il {quelque chose|un point}, ou {préférez-vous|aimeriez-vous} un autre ordre ?",
      "{L'ordre du jour|Votre proposition} {nous convient|est très bien|nous plaît}. Pour [item], {je prévoirais|nous aimerions} {volontiers |}{un peu plus de temps|dix minutes de plus}, car {plusieurs|deux} {personnes|collègues} {ont|auront} des {questions|remarques} ; le bilan {peut|pourrait} être {plus court|plus bref}.",
      "{C'est facile à changer|Volontiers|Bonne idée} : [item] {dispose|bénéficie} maintenant de {vingt|vingt-cinq|trente} minutes, le bilan de {cinq|dix}. Si {l'on nous envoie|vous m'envoyez} les {questions|remarques} {avant|d'ici à} [day], nous {pourrons|allons} {préparer|chercher} {quelques|les} réponses.",
      "{Nos questions|Nos remarques} {seront réunies|seront prêtes} {aujourd'hui|bientôt}, vous les {aurez|recevrez} {à temps|la veille au plus tard|assez tôt}. {Pour le reste|Sinon}, {rien ne manque|tout est clair}, et {nous attendons|j'attends} [day] {avec plaisir|avec intérêt} pour en {parler|discuter}.",
    ],
  },
  {
    name: "arrival of visitors",
    details: { gate: "la porte 1|la porte 2|la porte 3|la porte nord|la porte sud" },
    subject: "{Votre visite|Visite|Votre arrivée} de [day]{|, [time]}",
    turns: [
      "Nous vous {attendons|recevrons} {ici |}[day] {vers|à} [time]. {Viendrez-vous|Arriverez-vous} en {voiture|auto} ou {en train|par le train} ? En voiture, {prenez|passez par} [gate], {car|parce que} les autres {accès|entrées} sont {fermés|occupés} {par des livraisons|le matin}{, pour l'instant|}.",
      "Nous {viendrons|arriverons} {en voiture|par la route}, [count] personnes dans {deux|trois} {voitures|véhicules}. [gate] est {facile à trouver|bien connue de nous|notée}. {Faut-il|Devons-nous} {des badges|une pièce d'identité} {à la barrière|à l'accueil}, ou {les noms suffisent-ils|est-ce inutile} ?",
      "Une {pièce d'identité|carte d'identité} {suffit|suffira} : {l'accueil|la loge} a la liste des [count] noms et {prépare|imprime} les badges. Pour {les voitures|le stationnement}, des places {sont réservées|restent libres} {à gauche|à droite}, {juste derrière|près de} [gate].",
      "{C'est simple|Voilà qui est bien organisé|Tout cela est clair}. {Chacun|Chaque personne} aura {une carte|sa carte} {sur soi|avec soi} en {arrivant|entrant}, et {si nous prenons du retard|en cas de retard} [day], {j'appellerai|nous appellerons} {l'accueil|la loge} {à temps|en route}.",
    ],
  },
  {
    name: "thanks for a visit",
    details: {
      part: "la visite de l'atelier|la présentation sur le stockage|la démonstration au banc d'essai|la rencontre avec la planification",
    },
    subject: "{Votre visite|Merci de votre visite|La visite} de [day]",
    turns: [
      "{Merci beaucoup|Un grand merci} {de votre visite|de votre venue} [day] ; [part], {surtout|en particulier}, nous a {donné|laissé} {beaucoup d'idées|matière à réflexion}. {Je rédige|Nous rédigeons} {un court|un bref} {compte rendu|résumé} : puis-je vous {le montrer|l'envoyer} avant {de le diffuser|qu'il parte aux autres} ?",
      "{Le plaisir était pour nous|Cela nous a plu aussi}, et [part] {reste|est encore} {dans les conversations|un bon souvenir} {ici|au bureau}. {Envoyez donc|Oui, envoyez} le {compte rendu|résumé} ; {je le lirai|nous le lirons} {en deux jours|avant la fin de la semaine|rapidement} et {ajouterai|ajouterons}, au besoin, ce qui manque.",
      "{Le texte|Le document} {fait|compte} {une page|à peine deux pages}, avec [count] points. {Le passage|La partie} sur [part] {mérite|demande} {un second regard|le plus d'attention}, car {je n'ai pas pu|nous n'avons pas pu} tout {noter|écrire} [day], {faute de temps|dans le mouvement}.",
      "{Nous regarderons|Je regarderai} donc {ce passage|cette partie} avec {soin|une attention particulière}. {Quelqu'un|Une personne de l'équipe} a pris de {bonnes|nombreuses} notes [day], {si bien que|et} les [count] points {seront|pourront être} {complétés|vérifiés} {sans peine|bientôt}.",
    ],
  },
  {
    name: "recommend a venue",
    details: {
      event: "une journée de planification|une journée d'équipe|une petite conférence|une soirée clients|une journée de formation",
      count: "15|20|25|30|35|40",
    },
    subject: "{Un lieu|Des salles|Un endroit} pour [event]",
    turns: [
      "{Nous préparons|Notre équipe prépare} [event] pour {environ|près de} [count] personnes {dans votre ville|près de chez vous|dans votre région}. {Vous connaissez|Comme vous connaissez} {bien |}{les environs|le secteur}, {pourriez-vous|sauriez-vous} nous {conseiller|indiquer} un lieu {calme|lumineux|agréable}, {si possible|de préférence} {près de la gare|non loin de la gare} ?",
      "Pour ce genre de {rencontre|journée}, nous {choisissons|prenons} {souvent|volontiers} {le vieux moulin|la maison au bord de l'eau|l'ancienne bibliothèque|la salle du parc} : des pièces {claires|calmes|accueillantes}, à {cinq|dix|quinze} minutes {à pied|en bus} de la gare. [count] personnes y {tiennent|trouvent place} {à l'aise|facilement}, même {en petits groupes|autour de tables rondes}.",
      "{Cela semble|Ce lieu paraît} {très bien|tout indiqué|idéal}. Y a-t-il {une cuisine|de quoi manger} {sur place|dans la maison}, ou {avez-vous commandé|fallait-il commander} {ailleurs|à l'extérieur} ? Pour [event], un {buffet|repas} {simple|léger} {suffirait|suffit} {tout à fait|bien}.",
      "{La maison|Le lieu} propose {un déjeuner simple|un bon buffet} {sur place|à midi} ; {quelques jours|une semaine} avant, {il suffit de dire|dites simplement} combien des [count] {viendront|seront là}. {Au téléphone|En appelant}, {mentionnez|donnez} {notre nom|le nom de la maison}, on {nous connaît|se souvient de nous} {bien là-bas|là-bas}.",
    ],
  },
  {
    name: "working lunch",
    details: { kind: "un plat végétarien|une table au calme|une table en terrasse|un plat de poisson|une table près de la fenêtre" },
    subject: "{Déjeuner|Déjeuner de travail} de [day]",
    turns: [
      "Après {notre réunion|notre entretien} de [day], {il reste|nous aurons} {encore |}du temps pour {un déjeuner|manger ensemble}. {Dois-je|Puis-je} réserver {au coin de la rue|sur la place du marché|dans la rue derrière}, et {avez-vous|y a-t-il} {un souhait|une préférence}, {par exemple|disons} [kind] ?",
      "Un {déjeuner|repas} [day] {est une bonne idée|nous ferait plaisir|serait bien}, nous serons [count]. {Si possible|Si cela se peut}, [kind] nous {plairait|ferait plaisir}, {pour le reste|sinon} {nous ne sommes pas difficiles|tout nous va très bien|chacun est ouvert à tout}.",
      "{J'ai trouvé|Il y a} {un petit restaurant|une bonne adresse|une maison sympathique} avec {assez de|de la} place pour [count], et {on nous y propose|nous y aurons} [kind]. {La table|Tout} est {réservée|retenue} pour midi {et demi|et quart}, ce qui {laisse|donne} {une heure|assez de temps} avant votre {départ|train}.",
      "{Cela tombe|Tout cela va} {très bien|parfaitement}, {une heure suffit|nous aurons le temps}. {J'ai dit|J'ai écrit} {aux autres|à tout le monde} que vous aviez {même |}trouvé [kind], et {les [count] personnes|tous} {se réjouissent|sont heureux} du {déjeuner|repas} de [day].",
    ],
  },
  {
    name: "number of participants",
    details: {
      course: "Premiers secours au travail|Sécurité au dépôt|Écrire simplement|Le nouveau système de commande|Le traitement des retours",
    },
    subject: "{Inscriptions|Places|Liste des inscrits} : [course]",
    turns: [
      "{Je compte|Nous comptons} {cette semaine|en ce moment} les places pour {la formation|le cours} « [course] ». {Pour l'instant|À ce jour}, votre {société|maison} a [count] {noms|personnes} sur la liste : {est-ce|ce chiffre est-il} {toujours|encore} {exact|juste}, ou {attendez-vous|y aura-t-il} {des changements|un changement} d'ici à [day] ?",
      "{Le chiffre de [count]|Ce chiffre, [count],} est {exact|juste}, {mais|seulement} un nom {change|sera remplacé} : {quelqu'un|une personne} {de l'expédition|de la comptabilité|du service planning} {prend|prendra} la place. {Tous|Les autres} ont {un peu|déjà un peu} d'expérience sur « [course] », {si cela aide|si c'est utile à savoir}.",
      "{Cela aide en effet|C'est très utile} : « [course] » {pourra|peut} donc commencer {à un niveau plus élevé|par la deuxième partie|sans longue introduction}. {La nouvelle personne|Votre collègue} {n'aura qu'à signer|signera simplement} la liste {à l'entrée|en arrivant} ; les autres noms {y sont déjà|ne changent pas}.",
      "{Je le dirai|Nous le dirons} {à la personne concernée|à tout le groupe} {aujourd'hui|sans tarder}. {Les [count]|Toutes les [count] personnes} {arriveront|viendront} {ensemble|par le même bus}, {vous pouvez donc|on peut donc} compter sur {une table|une rangée} {complète|pleine} {dès le début|dès la première minute}.",
    ],
  },
  {
    name: "date for a training",
    details: { tool: "la nouvelle imprimante|la base des stocks|la douchette|la fiche de suivi|la réservation en ligne" },
    subject: "{Formation|Prise en main}{ : [day] ou [day2]|, une date|, votre avis}",
    turns: [
      "{Nous pourrions|Notre formateur pourrait} {venir|passer chez vous} [day] ou [day2] pour {la formation|une séance} sur [tool]. {Quel jour|Quelle date} {conviendrait|irait} le mieux à votre {équipe|groupe}, et un {début|départ} à [time] {serait-il|est-il} {possible|acceptable} ?",
      "{Nous préférons|Mieux vaut} [day2], {car|parce que} {la moitié|une partie} de l'équipe {est absente|travaille ailleurs} [day]. {Commencer|Un début} à [time] ne pose {aucun|pas de} problème ; nous serons {sans doute|environ} [count], {la plupart|beaucoup} {sans pratique|peu à l'aise} avec [tool].",
      "{Ce sera donc|Disons alors} [day2], à [time]. Pour [count] personnes, {j'apporterai|nous apporterons} {deux|trois} {jeux|séries} d'exercices ; {pourriez-vous|voudriez-vous} {veiller à ce que|faire en sorte que} tout soit {allumé|prêt} et {que quelqu'un|qu'une personne} {connaisse|ait} {le mot de passe|les accès} ?",
      "{Notre bureau|L'équipe du soir|La direction du service} {s'en occupe|y veillera} : tout {fonctionnera|sera prêt} {bien|largement} avant [time]. La salle {offre|a} de la place pour {plus de|bien} [count] personnes, et {je vous accueillerai|nous vous accueillerons} [day2] {à la porte|en bas}.",
    ],
  },
  {
    name: "meet at a fair",
    details: { hall: "le hall 2|le hall 3|le hall 4|le hall 5|le hall 7" },
    subject: "{Rencontre au salon|Au salon|Le salon}{| de [day]|, [hall]}",
    turns: [
      "{Cette année|Cette fois}, {nous aurons|nous tenons} un {petit|modeste} stand {au salon|sur place}, dans [hall], et {j'ai appris|on m'a dit} que vous y {serez|viendrez} {aussi|également}. {Auriez-vous|Avez-vous} {un quart d'heure|un moment} [day], {vers|disons à} [time], pour {un café|échanger un peu} ?",
      "Oui, {deux d'entre nous seront|une petite équipe sera} au salon [day]. {Un café|Une rencontre} à [time] {nous convient|tombe bien}, car notre {dernier entretien|autre rendez-vous} {se termine|a lieu} {juste avant|un peu avant}, {tout près|non loin} {d'ici|de votre stand}{, dans [hall]|}.",
      "{C'est noté|Je note} : [day], [time]. Vous {nous trouverez|verrez notre stand} {à gauche|au fond|près de la porte est} dans [hall], {sous|juste sous} {une enseigne|une bannière} {verte|bleue|jaune} ; si je suis {en rendez-vous|en conversation}, {attendez|patientez} {un instant|une minute} au comptoir.",
      "{Votre stand|Cela} {sera|doit être} facile à {trouver|repérer}. [day], nous {passerons|viendrons} dans [hall] {un peu avant|juste à temps pour} [time], avec {quelques|deux ou trois} {questions|notes} {de l'équipe|sur l'été|sur les mois à venir}.",
    ],
  },
  {
    name: "minutes of a call",
    details: { point: "la plage de livraison|la deuxième série d'essais|la date de départ|la liste des contacts|la note hebdomadaire" },
    subject: "{Compte rendu|Notes} {de notre appel|de [day]}",
    turns: [
      "{Voici en bref|En résumé, voici} {le compte rendu|mes notes} de l'appel de [day] : {nous avons fixé|l'accord porte sur} [point], {tout le reste|le reste} {demeure|reste} {ouvert|en suspens}, et nous {reparlerons|en reparlerons} [day2]. {Cela correspond-il|Est-ce conforme} à vos notes, ou {manque-t-il|faut-il ajouter} {quelque chose|un point} ?",
      "{Le compte rendu|Votre texte} {correspond|répond bien} à {mes notes|nos notes}, {à un détail près|sauf sur un point} : pour [point], {chaque côté|chacun} devait {nommer|désigner} une personne {pour les questions|à contacter}. {La date de|Le rendez-vous de} [day2] est {aussi|bien} {dans mon agenda|notée ici}.",
      "{Vous avez raison|C'est vrai|En effet}, {cela manquait|je l'avais oublié}. La phrase {concernant|sur} [point] est {ajoutée|maintenant là} ; de notre côté, {ce sera moi|la personne, c'est moi}, {au moins|du moins} jusqu'à {l'été|l'automne}. Quel nom {puis-je|dois-je} {inscrire|noter} pour {vous|votre société} ?",
      "{Notez|Inscrivez} {aussi|également} mon nom, {c'est plus simple|ce sera plus simple} {ainsi|pour tous}. {Avec cela|Ainsi}, le compte rendu de [day] est {complet|terminé} {pour nous|à nos yeux}, et [day2] nous {pourrons|allons} {commencer|reprendre} {aussitôt|directement} par [point].",
    ],
  },
  {
    name: "a guest at a meeting",
    details: { subject: "planifier sans hâte|bien passer le relais|lire un plan à plusieurs|un dépôt bien rangé|des réunions courtes" },
    subject: "{Un exposé|Exposé|Une intervention} de [day] : [subject]",
    turns: [
      "Pour {notre après-midi interne|notre rencontre du mois} de [day], nous {cherchons|aimerions} une personne d'une {autre société|maison amie} pour parler {vingt|quinze} minutes de ce thème : « [subject] ». Une telle {intervention|invitation} {vous plairait-elle|vous tenterait-elle}, {vers|à} [time] ?",
      "{Quelle belle|C'est une belle|Voilà une belle} {idée|invitation}. {Je parlerai|Nous parlerons} {volontiers|avec plaisir} de « [subject] » ; [day] à [time] {est libre|nous va bien}. Qui {sera|se trouvera} dans la salle, et {faut-il|prévoyez-vous} {des images|un écran} ?",
      "Il y aura {environ|près de} {vingt|trente|quarante} personnes, {de toutes les équipes|du bureau et du dépôt}, et {elles préfèrent|presque toutes préfèrent} les {récits|exemples} aux {images|diapositives}. Un {écran|projecteur} est {tout de même|de toute façon} {là|disponible}. Après « [subject] », {quelques|dix} minutes {restent|sont prévues} pour les questions.",
      "{Dans ce cas|Alors}, {je viendrai|nous viendrons} sans {images|diapositives}, mais avec {deux|trois} {récits|exemples} sur « [subject] » {tirés du quotidien|vécus ici}. L'arrivée est {prévue|fixée}, [day], {un peu|quelques minutes} avant [time], pour {voir|découvrir} la salle {au calme|d'abord}.",
    ],
  },
  {
    name: "equipment of a room",
    details: { thing: "un projecteur|un tableau blanc|un grand écran|un panneau d'affichage|un téléphone de conférence" },
    subject: "{Équipement pour [day]|[room], [day]|Matériel de [day]}",
    turns: [
      "Avant {notre séance|notre réunion} de [day], {une question pratique|une petite question} : {y a-t-il|trouve-t-on} [thing] dans [room], ou {faut-il|devons-nous} {apporter|prévoir} {le nôtre|notre matériel} ? Il nous faudrait, {aussi|en plus}, {quelques|deux ou trois} {prises|câbles} {près de la table|pour les ordinateurs}.",
      "Oui, {il y a|vous trouverez} [thing] dans [room], vous {pouvez|pourrez} donc venir {les mains libres|sans matériel}. {Les prises|Six prises} sont {sous|près de} la table ; {faut-il|devons-nous} {aussi |}{mettre|préparer} {du papier|des stylos et du papier} pour [count] personnes ?",
      "{Du papier|Un peu de papier} pour [count] personnes {serait|sera} {très aimable|d'une grande aide}. {Puisque|Comme} {tout est là|le gros matériel est là}, nous {apporterons|prendrons} {seulement|juste} {un ordinateur|deux ordinateurs} et {quelques|des} {copies|feuilles}, et viendrons [day] {dix|quinze|vingt} minutes {plus tôt|avant les autres} pour {tout essayer|tester les câbles}.",
      "{Venir plus tôt|Une arrivée en avance} {ne pose aucun problème|est possible} : [room] {sera|est} ouverte {dès le matin|bien avant}. {Notre technicien|Une personne du bureau|Quelqu'un de l'informatique} {expliquera|montrera} {brièvement|volontiers} le {fonctionnement|matériel} et restera {tout près|à côté}, si {quelque chose|un appareil} {coince|ne marche pas}.",
    ],
  },
  {
    name: "hotel near the office",
    details: { wish: "des chambres calmes|un bon petit déjeuner|un ascenseur|une place pour la camionnette|un accueil tardif|des vélos" },
    subject: "{Hôtel|Un hôtel|Une nuit} près de {chez vous|votre bureau}{|, [day]}",
    turns: [
      "{Quand nous viendrons|Lors de notre visite} [day], [count] d'entre nous {passeront|resteront} une nuit {sur place|en ville}. {Connaissez-vous|Pouvez-vous indiquer} un hôtel {simple|correct|accueillant}, {proche|non loin} de votre bureau ? {Il nous faut|Nous cherchons} {surtout|avant tout} [wish], {le reste|tout le reste} {compte moins|est secondaire}.",
      "{Nos visiteurs|La plupart de nos invités} {logent|dorment} {souvent|en général} au petit hôtel {de l'église|derrière le théâtre|de la place|du vieux pont}, à {cinq|dix} minutes {d'ici|de nos bureaux}. On y {trouve|propose} de {bons|très bons} lits et, {comme vous le souhaitez|c'est votre souhait}, [wish]. Pour [count] personnes, {mieux vaut|il faudrait} {réserver|appeler} {bientôt|quelques jours avant}.",
      "{J'appellerai|Nous appellerons} {l'hôtel|là-bas} {aujourd'hui|demain matin}, pour [count] chambres. {Avoir|Trouver} [wish] {sur place|là-bas} est {exactement|tout à fait} ce {qu'il faut|que nous voulions}. {Peut-on|Est-il facile de} venir à pied {jusqu'à vous|au bureau} {le matin|après le petit déjeuner}, {même|aussi} avec des bagages ?",
      "Oui, le {trajet|chemin} est {court|agréable} et {passe|va} {presque toujours|surtout} {par le parc|le long de la rivière}, {dix minutes|un quart d'heure} {avec des valises|au plus}. Vous {pouvez|pourrez} laisser les {sacs|valises} [day] {chez nous|à l'accueil}, il y a {de la place|un coin} pour {tout|les [count] personnes}.",
    ],
  },
  {
    name: "way from the station",
    details: { way: "le tram 4|le bus 12|le tram 7|le bus 31|le bus 8" },
    subject: "{De la gare à vos bureaux|Le trajet|Notre arrivée} : [day]",
    turns: [
      "{Mon train|Notre train} arrive [day] {juste avant|vers} [time]. {Quel est|Quel serait} le meilleur {chemin|moyen} pour {venir|aller} {de la gare|de là} à {vos bureaux|votre adresse} : {à pied ou|plutôt} {en bus|en tram} ? Nous {serons|sommes} [count], avec {peu de|très peu de} bagages.",
      "Le plus {simple|rapide} {est de prendre|reste} [way], {juste|tout de suite} {devant la gare|à la sortie}, {toutes les dix minutes|plusieurs fois par heure}. {Descendez|Vous descendez} {au quatrième arrêt|à la mairie}, {ensuite|puis} il reste {deux minutes|quelques pas}. {Si vous préférez|Au besoin}, {je viendrai|nous viendrons} {chercher|prendre} les [count] {en voiture|avec la camionnette}.",
      "{C'est très aimable|Quelle gentille idée}, mais {ce n'est pas nécessaire|nous nous débrouillerons} : [way] {paraît|semble} {simple|pratique}. Si le train {a du retard|prend du retard} [day], {j'enverrai|nous enverrons} {un mot|une ligne} ; sinon, {comptez|prévoyez} {une demi-heure|vingt minutes} après [time].",
      "{Ce délai|Votre calcul} est {réaliste|bien vu}, {inutile de|pas besoin de} {courir|se presser}. Les tickets {s'achètent|se vendent} {à l'arrêt|au distributeur|à bord}. [day], {je vous attendrai|nous vous attendrons} {en bas|à l'entrée}, et {le café|le thé} sera prêt {là-haut|au bureau} pour {les [count]|tout le groupe}.",
    ],
  },
  {
    name: "handover to a colleague",
    details: {
      work: "la gestion des retours|la planification des commandes|la série de tests|la liste des fournisseurs|la facturation du mois",
    },
    subject: "{Passage de relais|Nouveau contact|Qui s'en occupe désormais}{| : [work]}",
    turns: [
      "{Le mois prochain|Dès le mois prochain}, {une autre personne|quelqu'un d'autre} {suivra|reprendra} [work] {chez nous|ici}. {J'aimerais|Je voudrais} vous mettre en contact {de vive voix|lors d'un appel} : {auriez-vous|avez-vous} {vingt minutes|une demi-heure} [day], {vers|à} [time], {à trois|tous les trois} ?",
      "{C'est bien de le savoir tôt|Merci de nous prévenir si tôt}. [day] à [time] {me convient|est possible}, et {nous avons hâte de|nous aurons plaisir à} {découvrir|rencontrer} {ce nouveau visage|cette personne}. {Y a-t-il|Voyez-vous}, pour [work], {un point|quelque chose} à {préparer|éclaircir} {avant|d'ici là} ?",
      "{De votre côté|Pour vous}, {rien ne change|presque rien ne change} : [work] {continue|se poursuit} {comme avant|de la même façon}, {seul|juste} {le nom|un nom} {sera nouveau|change} {au bas des messages|dans l'annuaire}. [day], nous {aimerions|voudrions} {savoir|entendre} ce qui {marche bien|a bien fonctionné} {et|comme} ce qui {pourrait être mieux|vous manque}.",
      "{Je noterai|Nous noterons} donc, {d'ici à|avant} [day], {deux ou trois|quelques} {idées|points} sur [work]. {Travailler avec vous|Notre collaboration} a toujours été {agréable|un plaisir}, et {je souhaite|nous souhaitons} {un bon départ|un début facile} {à qui prend la suite|à la nouvelle personne}.",
    ],
  },
  {
    name: "video or phone",
    details: { matter: "la série de plans|la planche photo|la table des couleurs|la maquette du stand|la feuille de route" },
    subject: "{[day], [time] : téléphone ou vidéo|Téléphone ou vidéo|Notre échange de [day]}",
    turns: [
      "Pour {notre échange|notre entretien} de [day] à [time], {préférez-vous|aimez-vous mieux} le téléphone ou {la vidéo|un appel vidéo} ? {Je pose la question|Je demande cela} {parce que|puisque} nous {voudrons|pourrions} {peut-être |}{voir|regarder} [matter] {ensemble|à deux}, {et que|sachant que} {tout le monde|chacun} n'a pas {de caméra|deux écrans} {ici|chez nous}.",
      "{Dans ce cas|Alors}, {la vidéo|un appel vidéo} est {mieux|plus utile}, même sans caméra : {chacun|tout le monde} {aura|verra} [matter] {sous les yeux|en même temps}. {J'ouvrirai|Nous ouvrirons} {la séance|la réunion} [day] {un peu|quelques minutes} avant [time], et [count] personnes {peuvent|pourront} {se joindre à nous|y participer}.",
      "{D'accord|Entendu}, {va pour|ce sera} la vidéo. {J'enverrai|Nous enverrons} {encore |}[matter] {la veille|le jour d'avant} {en fichier|par message}, afin que {personne|nul} ne dépende de {mon|notre} seul écran. Si {l'image|le son} {s'arrête|se coupe}, nous {continuerons|poursuivrons} {simplement|tout bonnement} {par téléphone|de vive voix}.",
      "{Bonne idée|C'est une bonne idée}. {Le|Ce} fichier {aidera|aide} {ceux qui ont un petit écran|ceux qui sont en route|les personnes en route}, et {j'imprimerai|nous imprimerons} {aussi |}[matter] {sur papier|en grand}. {Nous nous parlerons|On se parle} donc [day] à [time], {d'une façon ou d'une autre|quoi qu'il arrive}.",
    ],
  },
  {
    name: "tour of a site",
    details: { group: "la nouvelle équipe|la promotion des apprentis|la petite équipe du planning|la promotion des stagiaires" },
    subject: "{Une visite|Visite de votre site|Visite} de [day]",
    turns: [
      "{Nous aimerions|Nous voudrions} {montrer|faire découvrir} à [group] un {dépôt|atelier} {moderne|différent} {vu de l'intérieur|de près}, et {le vôtre|votre site} {est venu à l'esprit|a été cité} {en premier|aussitôt}. Une {courte visite|visite d'une heure} {serait-elle|est-elle} possible, {par exemple|disons} [day] à {partir de |}[time], pour [count] personnes ?",
      "Votre groupe est {le bienvenu|bienvenu ici} : [day], {tout|le site} est {plutôt|assez} calme, une {heure|visite} à {partir de |}[time] {convient|est possible}. {Un seul point|Une seule demande} : {chacun doit|les [count] doivent} {porter|avoir} des chaussures {solides|fermées} ; {les gilets|les casques} {sont ici|sont fournis}.",
      "Les chaussures {ne posent pas de problème|seront là}, {je le rappellerai|nous le rappellerons} {encore |}{au groupe|à tous}. {Peut-on|Est-il permis de} {prendre|faire} des photos {à l'intérieur|pendant la visite}, ou {vaut-il mieux|faut-il} {s'en passer|éviter} ? {Certains|Quelques-uns} des [count] {veulent|aimeraient} {ensuite|après} {faire une affiche|écrire un article}.",
      "Les photos sont {permises|possibles} {dans la première partie|à l'entrée et dans la halle}, {mais pas|sauf} {près des machines|aux bancs d'essai} ; {notre guide|la personne qui vous guide} {dira|indiquera} {où|à quel endroit}. {Nous vous attendons|Rendez-vous} donc [day], et {l'affiche|le résultat} nous {intéresse|plaira} {aussi|beaucoup}.",
    ],
  },
  {
    name: "quarterly review",
    details: { focus: "la ponctualité des livraisons|la suite des retours|la réserve commune|la prévision|la phase de test" },
    subject: "{Notre bilan|Bilan du trimestre|Réunion de bilan} de [month]",
    turns: [
      "{Il est temps|Le moment est venu} de {fixer|prévoir} notre bilan {trimestriel|habituel}. {Je propose|Nous proposons} le {deuxième|troisième} [day] de [month], à [time], {de nouveau|encore} {dans [room]|chez vous}, avec {un regard|un accent} sur [focus]. Cela {entre-t-il dans votre planning|va-t-il avec votre agenda} ?",
      "{Cette date|Une date en [month]} {convient|est possible}, [day] {aussi|également}. {Pourrions-nous|Serait-il possible de} {seulement |}commencer à [time2] {au lieu de|plutôt qu'à} [time], {car|puisque} {deux d'entre nous|certains} {voyagent|sont en route} {le même jour|avant cela} ? {Parler de|Un point sur} [focus] {a du sens|est utile} {pour nous|cette fois}.",
      "[time2] {convient|va} {tout aussi bien|sans problème}. {Je réunirai|Nous réunirons} les chiffres {d'ici là|avant}, {surtout|notamment} sur [focus], et le tableau {partira|vous parviendra} {une semaine|quelques jours} {plus tôt|avant}. Qui {rédige|écrit} le compte rendu {cette fois|en [month]} ?",
      "{Cette fois|En [month]}, {c'est à nous|notre côté s'en charge} : {nous écrirons|je rédigerai} le {compte rendu|texte}. Avec {le tableau|les chiffres} sur [focus] {une semaine|quelques jours} {avant|plus tôt}, {chacun|tout le monde} viendra {bien préparé|prêt}. [day] à [time2] est {noté ici|dans notre agenda}.",
    ],
  },
];
