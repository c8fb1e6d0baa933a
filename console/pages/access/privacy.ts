// One file of the build for both pages, because each further one makes the shell larger
export { PersonalData } from "./person.tsx";
export { Retention } from "./retention.tsx";
