// One file of the build for both pages, because each further one makes the shell larger
export { SystemPage } from "./system.tsx";
export { Workspaces } from "./workspaces.tsx";
