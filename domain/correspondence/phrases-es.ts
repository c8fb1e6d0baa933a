import type { Phrases } from "./scenario.ts";

export const SPANISH: Phrases = {
  greeting: "{Hola|Saludos|Muy buenas|Un saludo}, [name]:",
  greetingWithoutName: "{Hola|Saludos|Muy buenas|Un saludo}:",
  greetsBy: "FIRST_NAME",
  openers: [
    "{{Espero|Esperamos} que {esté bien|todo vaya bien|la semana {vaya|empiece} bien}.|{Unas líneas breves|Una nota breve|Un mensaje corto} {de nuestra parte|desde la oficina|entre dos reuniones}.|Le escribo {hoy |}{por un asunto práctico|por un detalle|con una consulta}.}",
    "{{Gracias|Muchas gracias|Mil gracias} por {su {mensaje|correo|nota|consulta}|{el mensaje|el correo}|{escribirnos|avisar|preguntar|contactar}}.|{Su {mensaje|correo}|El correo} {llegó bien|ya ha llegado|está aquí}, {gracias|muchas gracias}.|{Qué bien|Es un gusto} {leer|recibir} {sus noticias|su mensaje}.}",
    "{{Gracias|Muchas gracias|Mil gracias} por {{la|su} {rápida|útil|pronta} respuesta|la {respuesta|aclaración}|{responder|contestar} {tan pronto|enseguida|con claridad}}.|{Su|Esa} respuesta {ayuda|es útil|nos sirve}, {gracias|muchas gracias}.|Qué respuesta {más clara|tan rápida}, {gracias|muchas gracias}.}",
    "{{Perfecto|Muy bien|De acuerdo|Estupendo|Entendido|Excelente}, {gracias|muchas gracias}{| por {los detalles|la aclaración|el aviso|su mensaje}}.|{Gracias|Muchas gracias|Mil gracias} por {los {datos|detalles}|{avisar|confirmar}|su {respuesta|mensaje}}.|{Eso|Todo eso} {suena|parece} {bien|muy bien|claro}.}",
  ],
  closers: [
    "{{Quedo|Quedamos} a la espera de {su respuesta|sus noticias}.|{Gracias|Muchas gracias|Mil gracias} {de antemano|por su ayuda|por su tiempo}.|{Bastan|Serán suficientes} {unas líneas|un par de líneas}.|{Dígame|Cuénteme} {simplemente |}{qué le parece|qué le conviene|su opinión}.}",
    "{Si {falta algo|algo no queda claro|surge otra duda}, {escríbame|avísenos|llámenos}.|{Espero|Esperamos} que {esto|la respuesta} le {ayude|sirva|baste}.|Puede {preguntar|escribir|llamar} {cuando quiera|si hace falta}.|{Quedo|Quedamos} a la espera de {su respuesta|sus noticias}.}",
    "{{Gracias|Muchas gracias} {otra vez|de nuevo} por {su ayuda|el apoyo|su paciencia|su tiempo}.|{Trabajar|Coordinarse} así {es un placer|resulta fácil|es agradable}.|{Eso|Su respuesta} nos {ayuda|ha ayudado|sirve} {mucho|bastante|de verdad}.}",
    "{{Le deseo|Le deseamos} {un buen {día|resto del día|fin de jornada}|una {buena|agradable} semana|una semana tranquila}.|{Que tenga|Que pase} {un buen día|una buena semana|una tarde tranquila}.|{Saludos|Muchos saludos|Un saludo} {a su equipo|a todo el equipo|de toda la oficina|desde aquí}.}",
  ],
  signOff:
    "{{Un {saludo|cordial saludo|saludo cordial}|Saludos{| cordiales}|Reciba un {cordial |}saludo}|{Atentamente|Cordialmente|Muy atentamente}},",
  days: "lunes|martes|miércoles|jueves|viernes",
  times: "9:00|9:30|10:00|10:30|11:00|11:30|12:30|15:00|15:30|16:00|16:30|17:00",
  details: {
    room: "la sala 3|la sala 12|la sala azul|la biblioteca|la sala pequeña|la sala del jardín|la sala 21",
    month: "enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre",
  },
};
