/** The host of an MCP App, by the official SDK: it shows a view in a sandboxed frame and passes its calls on. */
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

interface Given {
  html: string;
  tool: string;
  arguments: Record<string, unknown>;
  result: any;
}

declare global {
  interface Window {
    relay(tool: string, given: Record<string, unknown>): Promise<any>;
    show(given: Given): Promise<void>;
    retheme(theme: "light" | "dark"): Promise<void>;
    told: unknown[];
    sizes: unknown[];
  }
}

window.told = [];
window.sizes = [];

window.show = async ({ html, tool, arguments: given, result }) => {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.style.cssText = "width: 100%; height: 500px; border: 0";
  document.body.append(frame);

  const inputSchema = { type: "object" as const };
  const bridge = new AppBridge(
    null,
    { name: "bearings' tests", version: "1" },
    { serverTools: {}, updateModelContext: { text: {} } },
    { hostContext: { toolInfo: { tool: { name: tool, inputSchema } }, theme: "light", displayMode: "inline" } },
  );
  bridge.oncalltool = (params) => window.relay(params.name, params.arguments ?? {});
  bridge.onupdatemodelcontext = async (params) => {
    window.told.push(params);
    return {};
  };
  bridge.onsizechange = (size) => {
    window.sizes.push(size);
  };
  window.retheme = async (theme) => bridge.setHostContext({ theme });

  const initialized = new Promise<void>((resolve) => {
    bridge.oninitialized = () => resolve();
  });
  await bridge.connect(new PostMessageTransport(frame.contentWindow!, frame.contentWindow!));
  frame.srcdoc = html;
  await initialized;
  await bridge.sendToolInput({ arguments: given });
  await bridge.sendToolResult(result);
};
