// Settings for the measurements of the page, which `cargo xtask bench-explorer` starts.

import { defineConfig } from "@playwright/test";
import tests from "./playwright.config";

export default defineConfig(tests, {
  testDir: "bench",
  projects: [{ name: "bench", testMatch: "*.bench.ts" }],
  timeout: 1_800_000,
  use: {
    launchOptions: {
      ...tests.use?.launchOptions,
      // Without a graphics processor: speedscope draws with WebGL, which Chromium then computes itself.
      args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
    },
  },
});
