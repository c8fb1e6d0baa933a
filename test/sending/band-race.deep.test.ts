import { raceBands } from "./band-race.ts";

raceBands(40);
