import { raceSuppressions } from "./suppression-race.ts";

raceSuppressions(100);
