import type { Phrases } from "./scenario.ts";

export const ENGLISH: Phrases = {
  greeting: "{Hello|Dear|Hi|Good day} [name],",
  greetingWithoutName: "{Hello|Good day|Hello there},",
  greetsBy: "FIRST_NAME",
  openers: [
    "{I hope {{you are|your team is} {well|fine}|all is {well|fine} {with you|there}|{the|your} week {is going|goes} {well|smoothly|as planned}}.|A {quick|short|brief|small} {note|message|mail|line} {from {me|our side|our office|our team}|before the {day|week} {ends|is over}|between two {calls|meetings|tasks}|on {one|a} {small|practical} {matter|point}}.|{I trust|We hope} {all is|things are|everything is} {fine|in order|going well} {with you|over there}.}",
    "{{Thank you|Thanks|Many thanks} for {your {message|mail|note|lines|kind words|question|e-mail}|the {message|mail|note|e-mail}|{writing|getting in touch|asking|thinking of us}}.|{Good|Nice} to {hear|have news} from {you|your team}.|{Your {message|mail|note}|The {message|mail}} {reached me|has arrived|came}, {thank you|thanks|many thanks}.}",
    "{{Thank you|Thanks|Many thanks} for {{the|your} {quick|prompt|fast|kind|friendly|helpful|clear} {reply|answer|response}|{answering|replying|writing back} {so {quickly|soon|fast|clearly}|at once}|{coming|getting} back to {me|us}}.|{Your|That} {answer|reply} {helps|is helpful}, {thank you|thanks|many thanks}.}",
    "{{Perfect|Great|Wonderful|Excellent|Very good|Fine|Good|Lovely}, {thank you|thanks|many thanks}{| for {that|letting me know|the details|the information|your lines}}.|{Thank you|Thanks|Many thanks} for {letting {me|us} know|the {details|information|update}|your {lines|message|reply}}.|{That|This|It all} sounds {good|fine|clear}.}",
  ],
  closers: [
    "{{I|We} look forward to {hearing from you|your {reply|answer|lines}|a short {reply|answer}}.|{Please|Just|Simply} {let me know|tell me|write to me} {what you think|when {you can|it suits you}|whenever you {can|like}}.|A {short|brief|quick} {reply|answer|line} {is enough|will do|would be {fine|kind|enough}}.|{Many thanks|Thank you|Thanks} {in advance|for {your help|looking into it|your time|a short reply}}.}",
    "{If {{anything|something|a point} is {unclear|missing|still open}|anything remains open}, {just|please|simply} {let me know|write to me|ask|drop me a line|give me a call}.|{Please|Just|Do} {ask|write|call|ring} {if|in case} you need {anything else|more|further details}.|{I hope|We hope} {this|that} {helps|answers {it|your question|everything}}.|{I look|We look} forward to {your {reply|answer|lines}|hearing from you}.}",
    "{{Thanks|Thank you|Many thanks} {again|once more} for {your {help|time|support|patience}|the {help|kind words|effort}|{helping|taking the time|looking into it|all this}}.|{Working|Planning} {with you|together} is {a pleasure|easy|always pleasant}.|{That|This|Your reply} {helps|helped} {us|me|our team} {a lot|very much|a great deal}.|{That|This} is {much|very much} appreciated.}",
    "{{Have|I wish you|We wish you} a {good|pleasant|nice|calm|quiet|lovely} {day|week|rest of the {day|week}|afternoon}.|{Until then|Until soon}, {all the best|and greetings to {your team|the team|everybody}|take care}.|{Greetings|Best greetings|Kind greetings} {to {your|the} {team|colleagues|office}|to everybody {there|with you}|from {all of us|our team|the whole office}}.}",
  ],
  signOff: "{{Kind|Best|Warm|With kind|With best} regards|{Best|All good|Kind} wishes|{Yours sincerely|Sincerely|All the best}},",
  days: "Monday|Tuesday|Wednesday|Thursday|Friday",
  times: "9:00|9:30|10:00|10:30|11:00|11:30|2:00|2:30|3:00|3:30|4:00",
  details: {
    room: "Room 3|Room 12|the small meeting room|the blue room|the library|the corner room|Room 21|the garden room",
    month: "January|February|March|April|May|June|July|August|September|October|November|December",
  },
};
