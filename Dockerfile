# Untried: written where no containers run. The page of Kalahari, for compose.yaml.
FROM rust:1.95-slim-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev git && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN cargo build --release --locked -p kalahari

FROM debian:bookworm-slim
COPY --from=build /source/target/release/kalahari /usr/local/bin/kalahari
RUN useradd --create-home player && mkdir /data && chown player /data
USER player
ENV KALAHARI_HOME=/data KALAHARI_CACHE=/data/cache
VOLUME /data

ENTRYPOINT ["kalahari"]
CMD ["serve", "--port", "8080"]
