# The operator's image. Built in one stage, run in another that holds Node and what it runs, nothing else of the tool chain.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc .swcrc ./
RUN npm ci
COPY src src
COPY machines machines
RUN npm run compile && npm prune --omit=dev

# Any image with Node 24 will do, also one without a shell (distroless): nothing but `node` is called, nothing is written.
FROM node:24-bookworm-slim
ENV NODE_ENV=production
# A small young generation: the fleet is read in small pieces, and what is alive of them is little.
ENV NODE_OPTIONS=--max-semi-space-size=8
WORKDIR /opt/ironchart
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist dist
COPY examples examples
COPY LICENSE ./
USER 65532:65532
EXPOSE 9440 8080
ENTRYPOINT ["node", "dist/src/cli/main.js"]
CMD ["run"]
