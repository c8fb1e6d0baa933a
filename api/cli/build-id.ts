import { buildIdOfSources } from "../../runtime/build-id.ts";

// Prints the build id by which Temporal tells this version's workers from those of another (docs/kubernetes.md)
console.log(buildIdOfSources());
