// Bundled by the build: a page and a worker without a bundler cannot resolve a package's name.

export { ByteWriter, ParquetWriter } from "hyparquet-writer";
