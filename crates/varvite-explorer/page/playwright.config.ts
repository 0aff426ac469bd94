// How the tests of the page run: one browser of the system, one worker, no retries that hide a fault.

import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "tests",
  outputDir: process.env["VARVITE_PAGE_RESULTS"] ?? "../../../target/explorer-page",
  projects: [
    { name: "page", testIgnore: "pictures.spec.ts", snapshotPathTemplate: "{testDir}/approved/{arg}{ext}" },
    {
      name: "pictures",
      testMatch: "pictures.spec.ts",
      snapshotPathTemplate: "{testDir}/../../../../docs/images/{arg}{ext}",
    },
  ],
  // Other tests run beside these on the same processors.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  workers: 1,
  forbidOnly: true,
  reporter: [["list"]],
  use: {
    viewport: { width: 1280, height: 800 },
    locale: "en-US",
    timezoneId: "UTC",
    colorScheme: "light",
    reducedMotion: "reduce",
    trace: "off",
    launchOptions: {
      executablePath: process.env["VARVITE_CHROMIUM"] ?? "/usr/bin/chromium",
      // The sandbox needs rights that containers do not give; the pages are ours.
      args: ["--no-sandbox", "--disable-gpu"],
    },
  },
});
