import { raceSuppressions } from "./suppression-race.ts";

raceSuppressions(12);
