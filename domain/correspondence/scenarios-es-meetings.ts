import type { Scenario } from "./scenario.ts";

/** Spanish conversations about calls, meetings and visits. */
export const SPANISH_MEETINGS: readonly Scenario[] = [
  {
    name: "confirm a call",
    details: {
      topic: "la nueva hoja de pedido|la planificación de primavera|la distribución de estantes|la entrega de prueba|la formación interna",
    },
    subject: "{Nuestra llamada|Llamada|Confirmar la llamada} del [day]{| a las [time]}",
    turns: [
      "{Quisiera|Me gustaría} {confirmar|dejar confirmada} {nuestra llamada|la llamada} del [day] a las [time] sobre [topic]. ¿Le {viene bien|conviene} {todavía|aún} {esa hora|ese horario}, o {prefiere|sería mejor} {buscar|acordar} {otro momento|otra hora} {del día|de la semana}?",
      "La {llamada|conversación} del [day] a las [time] {me viene bien|ya está en mi agenda|queda anotada}. {Antes|Mientras tanto} {repasaré|repasaremos} {las notas|los papeles} sobre [topic], así que {media hora|una media hora} {debería bastar|será suficiente} {sin duda|seguramente}.",
      "{Media hora|Esa duración} {me parece suficiente|basta de sobra}. El [day] {le llamaré|le llamaremos} {al número de siempre|a su mesa|a la oficina}, y {una persona del equipo|alguien de planificación} {quizá escuche|podría escuchar} {al principio|unos minutos}, {si está de acuerdo|si no le importa}.",
      "{Por supuesto|Claro que sí|Desde luego}, su equipo {puede|podrá} {escuchar|participar} {cuando quiera|con mucho gusto}. El [day], {desde|poco antes de} las [time], {estaré en mi mesa|me encontrará en la oficina}, y {podemos|vamos a} empezar {enseguida|directamente} con [topic].",
    ],
  },
  {
    name: "move a meeting",
    details: { reason: "una entrega|una formación interna|una visita de la central|un inventario|una inspección técnica" },
    subject: "{Cambio de fecha|Nuestra reunión|Nueva fecha}{|: [day2] en lugar del [day]|, [day]}",
    turns: [
      "{Por desgracia|Lamentablemente}, el [day] tenemos {aquí |}[reason], {justo|precisamente} {a la hora|en el momento} de nuestra {reunión|cita}. ¿{Podríamos|Sería posible} {pasarla|cambiarla|moverla} al [day2] a las [time], {en el mismo lugar|con las mismas personas|con el mismo orden}?",
      "{No hay problema|Sin ningún problema|Claro que se puede}. El [day2] a las [time] nos {viene bien|conviene}, y {ya he cambiado|ya hemos cambiado} la cita en {la agenda común|el calendario}. ¿{Mantenemos|Dejamos} {la hora completa|una hora entera} {como antes|como estaba previsto}?",
      "Sí, una hora {estará bien|es suficiente|basta}. {Todas las personas|Los equipos} que participan {ya saben|saben desde hoy} que nos {vemos|reunimos} el [day2] en lugar del [day], y {los temas|los puntos} {siguen igual|no cambian}.",
      "{Entonces todo queda claro|Así queda resuelto}. {Nuestra sala|La sala} está reservada {desde|para} las [time], y {habrá café y agua|las bebidas estarán listas}. {Para|En cuanto a} la otra cita del [day], {espero|esperamos} que {todo salga|todo vaya} {bien|sin problemas}.",
    ],
  },
  {
    name: "another room",
    details: {
      why: "unas obras de pintura|la reparación de la calefacción|una reforma del suelo|una avería del proyector|un grupo más grande al lado",
    },
    subject: "{Otra sala|Cambio de sala|Nueva sala} para el [day]",
    turns: [
      "Debido a [why], el [day] {tenemos que|debemos} cambiar de sala: {la reunión|nuestro encuentro} {será|empezará} a las [time] en [room]. ¿{Podría|Le importaría} {avisar|informar} a {sus colegas|las demás personas} y decirnos {cuántas personas vendrán|con cuántas personas viene}?",
      "{Ya está avisado|Aquí ya lo saben todos}: [day], [time], [room]. Seremos [count], {aunque una persona|y una persona} {llegará|vendrá} {algo|un poco} {más tarde|después}. ¿La entrada {sigue siendo|es} {la misma|igual} que {la última vez|siempre}?",
      "La entrada {no ha cambiado|sigue siendo la misma}. {Desde recepción|Desde la entrada} {basta con seguir|solo hay que seguir} las {flechas|señales} hasta [room], donde {hemos puesto|encontrará} [count] sillas y {algunas más|dos de reserva} {alrededor de la mesa|en semicírculo}.",
      "{Es bueno saberlo|Eso ayuda|Suena sencillo}, {lo encontraremos|llegaremos} {sin problema|fácilmente}. El [day] {queremos|pensamos} estar {allí|en el edificio} {unos minutos|un poco} antes de las [time], para que {cada uno|cada persona} {se siente|tome asiento} {con calma|sin prisa}.",
    ],
  },
  {
    name: "agenda",
    details: {
      item: "los plazos de entrega|las vacaciones del equipo|los resultados de las pruebas|los nuevos formularios|el espacio del almacén",
    },
    subject: "Orden del día {del [day]|para el [day]}",
    turns: [
      "Para {nuestra reunión|el encuentro} del [day] he {preparado|escrito} un orden del día {breve|corto|provisional}: {primero|al principio} {un repaso|una mirada atrás}, {después|luego} [item], y {al final|por último} {las dudas abiertas|los próximos pasos}. ¿{Falta algo|Echa algo en falta}, o {prefiere|preferiría} otro orden?",
      "{El orden del día|Su propuesta} {nos parece bien|está bien|encaja}. Solo {daría|daríamos} {algo más de tiempo|diez minutos más} a este punto: [item], {porque|ya que} {varias|dos} personas {tienen|traen} {dudas|comentarios}; el repaso {puede|podría} ser {más corto|más breve}.",
      "{Eso es fácil|Con mucho gusto|Buena idea}: ahora hay {veinte|veinticinco|treinta} minutos para [item], y {cinco|diez} para el repaso. Si nos {envían|mandan} las {dudas|preguntas} {antes del|para el} [day], {podremos|vamos a} {preparar|buscar} {algunas|las} respuestas.",
      "{Las dudas|Nuestras preguntas} {estarán reunidas|quedarán listas} {hoy mismo|pronto}, y las {tendrá|recibirá} {a tiempo|el día antes}. {Por lo demás|Aparte de eso}, {no falta nada|todo está claro}; {esperamos|espero} el [day] {con ganas|con interés} {y un buen rato de trabajo|y buenas ideas}.",
    ],
  },
  {
    name: "arrival of visitors",
    details: { gate: "la puerta 1|la puerta 2|la puerta 3|la puerta norte|la puerta sur" },
    subject: "{Su visita|Visita|Su llegada} del [day]{|, [time]}",
    turns: [
      "El [day] {les esperamos|les recibimos} {aquí |}{hacia|a} las [time]. ¿{Vienen|Llegan} en {coche|automóvil} o en {tren|transporte público}? En coche {es mejor usar|conviene entrar por|hay que tomar} [gate], {porque|ya que} las demás {entradas|puertas} están {cerradas|ocupadas} {por las entregas|por la mañana|de momento}.",
      "{Vamos|Iremos} en coche, {un grupo de|en total} [count] personas en {dos|tres} {coches|vehículos}. [gate] {es fácil de encontrar|ya la conocemos|queda anotada}. ¿{Hace falta|Necesitamos} {un documento|alguna tarjeta} {en la barrera|en recepción}, o {bastan los nombres|no es necesario}?",
      "{Basta|Es suficiente} un documento {de identidad|con foto}: {recepción|la portería} tiene la lista de [count] nombres y {prepara|imprime} las tarjetas. {Para los coches|Para aparcar} hay plazas {reservadas|libres} {a la izquierda|a la derecha}, {justo detrás de|cerca de} [gate].",
      "{Suena sencillo|Está muy bien organizado|Todo claro}. {Cada persona|Todo el mundo} {llevará|traerá} {su documento|un documento} {consigo|a mano} al {entrar|llegar}, y si el [day] {nos retrasamos|hay algún retraso}, {llamaré|llamaremos} {a tiempo|desde el camino} {a recepción|a la portería}.",
    ],
  },
  {
    name: "thanks for a visit",
    details: { part: "la vuelta por el taller|la charla sobre almacenaje|la demostración del banco de pruebas|la ronda con planificación" },
    subject: "{Su visita|Gracias por su visita|La visita} del [day]",
    turns: [
      "{Muchas gracias|Mil gracias} por {su visita|venir} el [day]; {sobre todo|en especial} [part] nos {dio|ha dado} {muchas ideas|bastante en que pensar}. {Estoy escribiendo|Estamos escribiendo} un resumen {breve|corto}: ¿{puedo|podemos} {enseñárselo|enviárselo} {antes de repartirlo|antes de que llegue a los demás}?",
      "{El gusto fue nuestro|También nos gustó mucho}, y [part] {sigue siendo|es todavía} {tema de conversación|un buen recuerdo} {aquí|en la oficina}. {Envíe|Mande} el resumen {sin problema|cuando quiera}; {queremos|vamos a} leerlo {en dos días|antes del fin de semana|pronto} y {añadir|completar} lo que {falte|haga falta}.",
      "El {texto|resumen} {tiene|ocupa} {una página|apenas dos páginas}, con [count] puntos. {La parte|El párrafo} sobre [part] {merece|pide} {otra mirada|más atención}, {porque|ya que} el [day] {no pude|no pudimos} {apuntarlo|anotarlo} todo {por falta de tiempo|sobre la marcha}.",
      "{Entonces|En ese caso} {miraré|miraremos} {esa parte|ese párrafo} con {mucho|especial} cuidado. {Una persona del equipo|Alguien de aquí} tomó {buenas|muchas} notas el [day], {así que|por lo que} los [count] puntos {quedarán|estarán} {completos|revisados} {pronto|sin dificultad}.",
    ],
  },
  {
    name: "recommend a venue",
    details: {
      event: "una jornada de planificación|una jornada de equipo|una pequeña conferencia|una tarde con clientes|una jornada de formación",
      count: "15|20|25|30|35|40",
    },
    subject: "{Un lugar|Salas|Un sitio} para [event]",
    turns: [
      "{Estamos preparando|Nuestro equipo prepara} [event] para {unas|alrededor de} [count] personas {en su ciudad|cerca de ustedes|en su zona}. {Conocen|Como conocen} {bien |}{los alrededores|la zona}, ¿{podrían|sabrían} {recomendarnos|indicarnos} un lugar {tranquilo|luminoso|agradable}, {si es posible|a poder ser} {cerca de la estación|a poca distancia de la estación}?",
      "Para {algo así|un día como ese} {solemos reservar|usamos a menudo} {el viejo molino|la casa junto al río|la antigua biblioteca|la sala del parque}: salas {claras|tranquilas|acogedoras}, a {cinco|diez|quince} minutos {a pie|en autobús} de la estación. {Allí|Dentro} caben [count] personas {con comodidad|sin apuros}, también {en grupos pequeños|en mesas redondas}.",
      "{Suena|Parece} {muy bien|justo lo que buscamos}. ¿Hay {cocina|algo de comer} {en la casa|allí mismo}, o {encargaron|hubo que encargar} la comida {fuera|en otro sitio}? Para [event] {bastaría|basta} {un bufé ligero|una comida sencilla|algo sin complicaciones}.",
      "La casa {ofrece|sirve} {una comida sencilla|un buen bufé} {allí mismo|a mediodía}; {unos días|una semana} antes {solo hay que decir|basta con decir} cuántas {de las|de esas} [count] personas {van|acudirán|vienen}. {Por teléfono|Al llamar}, {mencione|diga} {nuestro nombre|que nos conoce}, allí {nos recuerdan|nos conocen} {bien|de otras veces}.",
    ],
  },
  {
    name: "working lunch",
    details: { kind: "algo vegetariano|una mesa tranquila|una mesa en la terraza|algo de pescado|una mesa junto a la ventana" },
    subject: "{Comida|Comida de trabajo} del [day]",
    turns: [
      "Después de {nuestra reunión|la cita} del [day] {queda|tendremos} tiempo para {comer juntos|una comida}. ¿Reservo {a la vuelta de la esquina|en la plaza del mercado|en la calle de atrás}, y {tienen|hay} {algún deseo|alguna preferencia}, {por ejemplo|digamos} [kind]?",
      "{Comer juntos|Una comida} el [day] {es buena idea|nos apetece mucho|estaría bien}, {seremos|somos} [count]. Si {es posible|se puede}, nos {gustaría|vendría bien} [kind]; {por lo demás|en lo demás} {todo nos parece bien|somos fáciles de contentar|no hay problema}.",
      "{He encontrado|Hay} {un restaurante pequeño|un sitio agradable|una buena casa de comidas} con {sitio|espacio} para [count], y allí {nos dan|tendremos} [kind]. {La mesa queda|Queda ya} {reservada|apuntada} para {la una y media|las dos}, así {queda|tenemos} {una hora|tiempo suficiente} antes de {su tren|su salida}.",
      "{Encaja|Nos va} {muy bien|perfectamente}, {una hora basta|hay tiempo de sobra}. {He dicho|He escrito} {a los demás|a todo el grupo} que {incluso |}han encontrado [kind], y {los [count]|todos} {esperan|esperamos} {con ganas|con gusto} la comida del [day].",
    ],
  },
  {
    name: "number of participants",
    details: {
      course:
        "Primeros auxilios en el trabajo|Seguridad en el almacén|Escribir con claridad|El nuevo sistema de pedidos|La gestión de devoluciones",
    },
    subject: "{Inscripciones|Plazas|Lista de asistentes}: [course]",
    turns: [
      "{Esta semana|En estos días} {cuento|contamos} las plazas del curso «[course]». {Hasta ahora|De momento} su {empresa|casa} tiene [count] {nombres|personas} en la lista: ¿{sigue siendo|es} {correcto|exacto}, o {espera|habrá} {cambios|algún cambio} antes del [day]?",
      "{El número|La cifra}, [count], {está bien|sigue igual}, {pero|solo que} un nombre {cambia|se sustituye}: {alguien|una persona} {de expedición|de contabilidad|de planificación} {ocupará|toma} {la plaza|ese lugar}. {Todos|Los demás} tienen {algo|un poco} de experiencia con «[course]», {si eso ayuda|por si es útil}.",
      "{Eso ayuda mucho|Es muy útil}: entonces «[course]» puede {empezar|comenzar} {con más nivel|por la segunda parte|sin larga introducción}. {La persona nueva|Su colega} {solo firma|firmará simplemente} la lista {en la puerta|al llegar|a primera hora}; {los demás nombres|los otros} {ya están|no cambian|siguen igual}.",
      "{Se lo diré|Se lo diremos} {a la persona nueva|a todo el grupo} {hoy mismo|sin demora}. {Todo el grupo|El grupo de [count]} {llegará|vendrá} {al mismo tiempo|en el mismo autobús}, así que {pueden|se puede} contar con {una mesa|una fila} {completa|llena} {desde el principio|desde el primer minuto}.",
    ],
  },
  {
    name: "date for a training",
    details: { tool: "la impresora nueva|la base de existencias|la agenda de reservas|la hoja de seguimiento|la lectora de códigos" },
    subject: "{Formación|Introducción}{: [day] o [day2]|, una fecha|, su opinión}",
    turns: [
      "{Podríamos|Nuestra formadora podría} {ir|pasar} el [day] o el [day2] para {la formación|la sesión} sobre [tool]. ¿Qué {día|fecha} {conviene|va} mejor a su {equipo|grupo}, y {estaría|está} bien {empezar|comenzar} a las [time]?",
      "{Preferimos|Nos va mejor} el [day2], {porque|ya que} el [day] {media plantilla|parte del equipo} {está fuera|trabaja en otro sitio}. {Empezar|Comenzar} a las [time] {no es problema|está bien}; seremos {unas|probablemente} [count] personas, {la mayoría|muchas} {sin práctica|con poca experiencia} con [tool].",
      "{Entonces queda|Será, pues,} el [day2] a las [time]. Para [count] personas {llevaré|llevaremos} {dos|tres} {juegos|series} de ejercicios; ¿{podría|podrían} {procurar|asegurar} que todo esté {encendido|listo} y que {alguien|una persona} {sepa|tenga} {la contraseña|la clave}?",
      "{Nuestra oficina|El turno de tarde|La jefa de equipo} se {encarga|ocupa} de {eso|todo}: {mucho|bastante} antes de las [time] {todo funcionará|todo estará listo}. La sala {tiene|ofrece} sitio para {más de|unas} [count] personas, y el [day2] {les recibiré|les recibiremos} {en la puerta|abajo}.",
    ],
  },
  {
    name: "meet at a fair",
    details: { hall: "el pabellón 2|el pabellón 3|el pabellón 4|el pabellón 5|el pabellón 7" },
    subject: "{En la feria|La feria|Encuentro en la feria}{| del [day]|: [hall]}",
    turns: [
      "{Este año|Esta vez} {tenemos|tendremos} un puesto {pequeño|modesto} {en la feria|de nuevo}, en [hall], y {he oído|me han dicho} que {van|acuden} {también|este año}. ¿{Tendría|Tiene} el [day] {un cuarto de hora|un rato}, {quizá|por ejemplo} hacia las [time], para {un café|conversar un poco}?",
      "Sí, el [day] {iremos dos personas|irá un pequeño equipo} {a la feria|allí}. {Un café|Un encuentro} a las [time] {nos viene bien|encaja}, {porque|ya que} nuestra {última cita|otra reunión} {termina|acaba} {poco antes|antes}, {muy cerca|no lejos} {de allí|de su puesto}.",
      "{Anotado|Queda apuntado}: [day], [time]. {Nos encontrará|Verá nuestro puesto} en [hall], {a la izquierda|al fondo|junto a la puerta este}, {bajo|al lado de} {un cartel|un letrero} {verde|azul|amarillo}; si estoy {en una reunión|en una conversación}, {espere|aguarde} {un momento|un minuto} en el mostrador.",
      "{Su puesto|Eso} será fácil de {encontrar|ver}. El [day] {pasaremos|iremos} por [hall] {un poco antes|justo a tiempo, poco antes} de las [time], con {algunas|dos o tres} {preguntas|notas} {del equipo|sobre el verano|sobre los próximos meses}.",
    ],
  },
  {
    name: "minutes of a call",
    details: { point: "la franja de entrega|la segunda prueba|la fecha de inicio|la lista de contactos|la nota semanal" },
    subject: "{Acta|Notas} {de nuestra llamada|del [day]}",
    turns: [
      "{Aquí va|Le envío} en {breve|pocas líneas} {el acta|mis notas} de la llamada del [day]: {acordamos|quedó fijada} [point], {lo demás|todo lo demás} {sigue|queda} {abierto|pendiente}, y {hablamos|volvemos a hablar} el [day2]. ¿{Coincide|Cuadra} con sus notas, o {falta|he olvidado} {algo|algún punto}?",
      "{El acta|Su texto} {coincide|cuadra} con {mis|nuestras} notas, {salvo en un detalle|menos en un punto}: sobre [point] dijimos que cada {parte|empresa} {nombraría|daría} una persona {para las dudas|de contacto}. La {cita|fecha} del [day2] {también|igualmente} está {en mi agenda|anotada}.",
      "{Tiene razón|Es verdad|En efecto}, {faltaba eso|lo había olvidado}. {La frase|El renglón} sobre [point] ya {está|figura} {en el texto|dentro}; por nuestra parte {soy yo la persona|me encargo yo}, {al menos|por lo menos} hasta {el verano|el otoño}. ¿Qué nombre {pongo|debo poner} por {su parte|su empresa}?",
      "{Ponga|Escriba} {también|igualmente} mi nombre, {así es más fácil|así todo es más simple}. {Con eso|De este modo} el acta del [day] {queda|está} {completa|terminada} {para nosotros|aquí}, y el [day2] {podemos|vamos a} {empezar|seguir} {directamente|enseguida} con [point].",
    ],
  },
  {
    name: "a guest at a meeting",
    details: { subject: "planificar sin prisas|pasar bien el relevo|leer planos en equipo|un almacén ordenado|reuniones cortas" },
    subject: "{Una charla|Charla|Una invitación} del [day]: [subject]",
    turns: [
      "Para {nuestra tarde interna|el encuentro mensual} del [day] buscamos a {alguien|una persona} de {otra|alguna otra} empresa que {hable|nos hable} {quince|veinte} minutos sobre «[subject]». ¿Le {gustaría|apetecería} a {usted|alguien de su equipo}, {hacia|a} las [time]?",
      "{Qué buena|Es una buena|Qué bonita} {idea|invitación}. {Hablaré|Hablaremos} {con gusto|con ganas} sobre «[subject]»; el [day] a las [time] {es posible|tengo libre}. ¿Quién {estará|se sienta} {en la sala|entre el público}, y {hacen falta|se usan} {imágenes|diapositivas}?",
      "{Vendrán|Habrá} {unas|cerca de} {veinte|treinta|cuarenta} personas, {de todos los equipos|de oficina y almacén}, y {casi todas prefieren|la mayoría prefiere} {las historias|los ejemplos} a las diapositivas. {De todos modos|En cualquier caso} hay {pantalla|proyector}. Después de «[subject]» {quedan|habrá} {diez|algunos} minutos para preguntas.",
      "{Entonces|En ese caso} {iré|voy} sin diapositivas, {pero|más bien} con {dos|tres} {historias|casos} sobre «[subject]» {del día a día|de nuestra casa}. El [day] {llegaré|estaré ahí} {un poco|unos minutos} antes de las [time], para {ver|conocer} {la sala|el lugar} {con calma|primero}.",
    ],
  },
  {
    name: "equipment of a room",
    details: { thing: "un proyector|una pizarra blanca|una pantalla grande|un tablón|un teléfono de conferencias" },
    subject: "{[room], el [day]|Material para el [day]|Equipo del [day]}",
    turns: [
      "Antes de {nuestra sesión|la reunión} del [day] tengo una {pregunta|duda} {práctica|pequeña}: ¿hay [thing] en [room], o {llevamos|debemos llevar} {uno propio|lo nuestro}? {Además|También} {necesitamos|nos harían falta} {algunos|un par de} {enchufes|cables} {cerca de la mesa|para los portátiles}.",
      "Sí, {hay|encontrará} [thing] en [room], así que {pueden|podrán} {venir sin peso|dejar lo suyo en casa}. {Los enchufes|Seis enchufes} están {debajo de|junto a} la mesa; ¿{ponemos|dejamos} {también |}{papel|papel y bolígrafos} para [count] personas?",
      "{Papel|Un poco de papel} para [count] personas {sería|es} {muy amable|de gran ayuda}. {Ya que|Como} {todo está allí|lo grande está allí}, {llevaremos|llevamos} {solo|únicamente} {un portátil|dos portátiles} y {algunas|unas pocas} {copias|hojas}, y el [day] {llegaremos|iremos} {diez|quince|veinte} minutos {antes|antes que los demás} para {probarlo todo|probar los cables}.",
      "{Llegar antes|Venir antes} {no es problema|es posible}: [room] {está|queda} abierta {desde la mañana|mucho antes}. {Nuestro técnico|Alguien de informática|Una persona de la oficina} {explicará|mostrará} {brevemente|con gusto} {el manejo|cómo funciona todo} y {se queda|estará} {cerca|al lado}, por si algo {falla|no funciona}.",
    ],
  },
  {
    name: "hotel near the office",
    details: { wish: "habitaciones tranquilas|un buen desayuno|ascensor|sitio para la furgoneta|una recepción hasta tarde|bicicletas" },
    subject: "{Hotel|Un hotel|Una noche} cerca de {ustedes|su oficina}{|, [day]}",
    turns: [
      "Cuando {vayamos|viajemos} el [day], [count] de nosotros {nos quedamos|pasaremos} {una noche|a dormir} {allí|en la ciudad}. ¿{Conoce|Puede indicarnos} un hotel {sencillo|correcto|acogedor}, {cerca|no lejos} de su oficina? {Necesitamos|Buscamos} {sobre todo|ante todo} [wish], {lo demás|el resto} {importa menos|es secundario}.",
      "{Nuestras visitas|La mayoría de las visitas} {duermen|se alojan} {a menudo|normalmente} en el pequeño hotel {de la iglesia|detrás del teatro|de la plaza|del puente viejo}, a {cinco|diez} minutos {de aquí|de la oficina}. {Tienen|Ofrecen} {buenas camas|camas cómodas} y, {como pide|tal como desea}, [wish]. Para [count] personas {conviene|es mejor} {reservar|llamar} {pronto|unos días antes}.",
      "{Llamaré|Llamaremos} {allí|al hotel} {hoy mismo|mañana} para pedir [count] habitaciones. Que {tengan|haya} [wish] es {justo|exactamente} lo que {hace falta|queríamos}. ¿Se {puede ir|llega bien} a pie {hasta su oficina|hasta ustedes} {por la mañana|después del desayuno}, {incluso|también} con maletas?",
      "Sí, el {camino|paseo} es {corto|agradable} y {va|pasa} {casi todo|sobre todo} {por el parque|junto al río}, {diez minutos|un cuarto de hora} {con maletas|como mucho}. El [day] {pueden|podrán} dejar {las bolsas|el equipaje} {con nosotros|en recepción}, hay {sitio|espacio} para {todo|las cosas de los [count]}.",
    ],
  },
  {
    name: "way from the station",
    details: { way: "el tranvía 4|el autobús 12|el tranvía 7|el autobús 31|el autobús 8" },
    subject: "{De la estación a su oficina|El camino|Nuestra llegada}, [day]",
    turns: [
      "{Mi tren|Nuestro tren} llega el [day] {poco antes de|hacia} las [time]. ¿Cómo {llegamos|vamos} mejor {desde allí|desde la estación} a {su oficina|su edificio}: a pie o {en autobús|en tranvía}? {Somos|Seremos} [count], con {poco|muy poco} equipaje.",
      "{Lo más fácil|Lo más rápido} es {tomar|coger} [way], {justo|directamente} {delante de la estación|a la salida}, {cada diez minutos|varias veces por hora}. {Bajen|Hay que bajar} {en la cuarta parada|en el ayuntamiento}, {desde allí|luego} {quedan|son} {dos minutos|unos pasos}. {Si prefieren|Si hace falta}, {recojo|recogemos} a los [count] {en coche|con la furgoneta}.",
      "{Es muy amable|Qué amable}, pero {no hace falta|nos arreglamos}: [way] {parece|suena} {cómodo|sencillo}. Si el tren {se retrasa|llega tarde} el [day], {mandaré|mandaremos} {un mensaje|una línea}; {si no|de lo contrario}, {cuente|cuenten} con nosotros {media hora|veinte minutos} después de las [time].",
      "{Ese plazo|Ese cálculo} es {realista|correcto}, {no hay que|no hace falta} {correr|darse prisa}. Los billetes se {compran|venden} {en la parada|en la máquina|a bordo}. El [day] {le esperaré|les esperaremos} {abajo|en la entrada}, y {habrá|tendremos} {café|té} {listo|recién hecho} para {los [count]|todo el grupo}.",
    ],
  },
  {
    name: "handover to a colleague",
    details: {
      work: "la gestión de devoluciones|la planificación de pedidos|la serie de pruebas|la lista de proveedores|la estadística del mes",
    },
    subject: "{Relevo|Nuevo contacto|Quién lo lleva ahora}{|: [work]}",
    turns: [
      "{El mes que viene|Desde el mes que viene} {otra persona|alguien nuevo} {llevará|se encargará de} [work] {en nuestra casa|aquí}. {Me gustaría|Quisiera} {presentarles|ponerles en contacto} {bien|de viva voz}: ¿{tendría|tiene} el [day], hacia las [time], {veinte minutos|media hora} {para hablar los tres|para una llamada a tres}?",
      "{Es bueno saberlo pronto|Gracias por avisar con tiempo}. El [day] a las [time] {me viene bien|es posible}, y {tenemos ganas|hay ganas} de {conocer|saludar} a {la nueva persona|quien llega}. ¿Hay {algo|algún punto} de [work] que {convenga|debamos} {preparar|aclarar} {antes|antes del relevo}?",
      "{Por su parte|Para ustedes} {no cambia nada|casi nada cambia}: [work] {sigue|continúa} {como hasta ahora|de la misma forma}, solo {cambia el nombre|hay otro nombre} {al pie de los correos|en el directorio}. El [day] {nos gustaría|quisiéramos} {saber|oír} qué {funciona bien|ha ido bien} y qué {se podría mejorar|les falta}.",
      "{Entonces|Así pues} {anotaré|anotaremos} {antes del|hasta el} [day] {dos o tres|algunas} {ideas|cosas} sobre [work]. {Trabajar con usted|La colaboración} ha sido {siempre|todo este tiempo} {un gusto|muy fácil}, y {deseo|deseamos} {un buen comienzo|un inicio tranquilo} a {quien llega|la nueva persona}.",
    ],
  },
  {
    name: "video or phone",
    details: { matter: "la serie de planos|la hoja de fotos|la tabla de colores|la maqueta del puesto|la hoja de ruta" },
    subject: "{[day], [time]: teléfono o vídeo|Teléfono o vídeo|Nuestra conversación del [day]}",
    turns: [
      "Para {nuestra conversación|la charla} del [day] a las [time], ¿{prefiere|le gusta más} {el teléfono|una llamada} o {el vídeo|una videollamada}? {Lo pregunto|Lo digo} porque {quizá|tal vez} {queramos|convenga} {ver|mirar} [matter] {juntos|a la vez}, y {no todos tienen|no todo el mundo tiene} {cámara|dos pantallas} {aquí|en casa}.",
      "{Entonces|En ese caso} {es mejor|conviene más} el vídeo, {también|incluso} sin cámara: así {cada uno|todo el mundo} {verá|tendrá} [matter] {delante|al mismo tiempo}. {Abriré|Abriremos} {la sesión|la reunión} el [day] {unos minutos|un poco} antes de las [time], y {pueden|podrán} {entrar|participar} [count] personas.",
      "{De acuerdo|Bien}, {entonces vídeo|será por vídeo}. {Le mandaré|Le mandaremos} [matter] {la tarde anterior|el día antes} {en un archivo|por correo}, para que {nadie|ninguna persona} dependa {solo |}de {mi|nuestra} pantalla. Si {falla|se corta} {la imagen|el sonido}, {seguimos|continuamos} {simplemente|sin más} {por teléfono|de viva voz}.",
      "{Buena idea|Es una buena idea}. El archivo {ayuda|sirve} a {quienes tienen pantalla pequeña|quienes van de viaje}, y {voy a|vamos a} imprimir [matter] {en papel|en grande} {también|por si acaso}. {Nos oímos|Hablamos} {entonces |}el [day] a las [time], {de una forma u otra|pase lo que pase}.",
    ],
  },
  {
    name: "tour of a site",
    details: { group: "el grupo de aprendices|el equipo de planificación|el equipo de oficina|el turno de noche" },
    subject: "{Una visita|Visita a su almacén|Visita} del [day]",
    turns: [
      "{Nos gustaría|Quisiéramos} {enseñar|mostrar} {un almacén diferente|una nave de otra casa} a {varias personas|un pequeño grupo} ({se trata de|en concreto}: [group]), y {pensamos enseguida en|nos acordamos de} {su casa|ustedes}. ¿Sería posible una visita {corta|de una hora}, {por ejemplo|digamos} el [day] a las [time], para [count] personas?",
      "{El grupo|Su grupo} es {bienvenido|muy bienvenido}: el [day] {la nave está|todo está} {bastante en calma|sin mucho movimiento}, y {una hora|una visita} a las [time] {es posible|encaja}. {Una sola cosa|Solo un detalle}: {hace falta|todos necesitan} {calzado cerrado|calzado firme}; {los chalecos|los cascos} {ya están aquí|los ponemos nosotros}.",
      "El calzado {no es problema|estará}, {lo recordaré|lo recordaremos} {otra vez|de nuevo} {al grupo|a todos}. ¿{Se pueden|Está permitido} hacer fotos {dentro|durante la visita}, o {es mejor|conviene} {dejarlo|no hacerlas}? {Algunos|Varios} de los [count] {quieren|querían} {después|luego} {hacer un cartel|escribir un artículo}.",
      "{Las fotos|Las imágenes} {están permitidas|son posibles} {en la primera parte|en la entrada y en la nave}, {pero no|salvo} {junto a las máquinas|en los bancos de prueba}; {quien les guía|nuestra guía} {dirá|indicará} {dónde|en qué lugar}. {Les esperamos|Nos vemos}, pues, el [day], y {el cartel|el resultado} {también |}nos {interesa|gustará} {mucho|a todos}.",
    ],
  },
  {
    name: "quarterly review",
    details: { focus: "la puntualidad de entrega|las devoluciones abiertas|la reserva común|la previsión|la fase de prueba" },
    subject: "{Nuestra revisión|Revisión trimestral|Reunión de revisión} de [month]",
    turns: [
      "{Ya toca|Es hora de} {fijar|planear} nuestra revisión {trimestral|de siempre}. {Propongo|Proponemos} el {segundo|tercer} [day] de [month], a las [time], {de nuevo|otra vez} {en [room]|en su oficina}, con {especial atención|una mirada especial} a {este tema|este asunto}: [focus]. ¿{Encaja|Cabe} en {su calendario|sus planes}?",
      "{En [month]|Una fecha en [month]} {está bien|es posible}, {también|incluso} el [day]. ¿Podríamos {empezar|comenzar} {solo|más bien} a las [time2] en lugar de las [time], {porque|ya que} {dos de nosotros|algunas personas} {viajan|llegan} {ese mismo día|esa misma mañana}? {Hablar de|Tratar} [focus] {tiene sentido|es útil} {esta vez|para nosotros}.",
      "Las [time2] {van|nos van} {igual de bien|sin problema}. {Reuniré|Reuniremos} las cifras {hasta entonces|antes}, {también|en especial} sobre [focus], y la tabla {saldrá|les llegará} {una semana|unos días} {antes|con antelación}. ¿Quién {escribe|redacta} el acta {esta vez|en [month]}?",
      "{Esta vez|En [month]} {nos toca a nosotros|es nuestro turno}: {escribiremos|redactaremos} {el acta|las notas}. Con {la tabla|las cifras} sobre [focus] {una semana|unos días} antes, {cada uno|todo el mundo} {vendrá|llegará} {preparado|con todo leído}. El [day] a las [time2] {queda|está} {en la agenda|anotado}.",
    ],
  },
];
