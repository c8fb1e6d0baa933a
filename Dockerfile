FROM node:24.21.0-bookworm-slim AS console
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The bundler is a tool: it stays behind in this stage
RUN npm ci --ignore-scripts
COPY . .
RUN npm run console:build

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# No install script is needed to run: what is native comes prebuilt
RUN npm ci --omit=dev --ignore-scripts
COPY . .
# The workflows as one script, so that no worker spends its start on it
RUN node --no-warnings worker/bundle.ts
# The image has a Node of its own, and loads the engine of Temporal's SDK for its own platform alone: 300 MB that it does not need
RUN rm -rf node_modules/node-linux-* node_modules/.bin/node \
  && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -r {} +
COPY --from=console /app/console/dist ./console/dist

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
# Owned by root and run by another: the service cannot change itself, and writes nowhere
COPY --from=build /app ./
USER node
EXPOSE 3000
CMD ["node", "--no-warnings", "--max-semi-space-size=8", "--heap-growing-percent=50", "api/main.ts"]
