import "./style.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { createRoot } from "react-dom/client";
import { newQueryClient } from "./api/query.ts";
import { applyLook } from "./frame/theme.ts";
import { newRouter } from "./routes.tsx";

applyLook();
const place = document.getElementById("console");
if (place !== null) {
  createRoot(place).render(
    <QueryClientProvider client={newQueryClient()}>
      <RouterProvider router={newRouter()} />
    </QueryClientProvider>,
  );
}
