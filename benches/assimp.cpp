// How long Assimp takes to read a file: the best of some runs, in milliseconds, on standard output.
//
// In:  how many runs, and the file.
// Out: two numbers, or exit code 1 when Assimp does not read the file: without tangents, and with them
// where Sinew makes them.
//
// Each run has an importer of its own and ends when the scene is there. The file comes from the
// system's cache. The steps asked for are those that Sinew always takes: triangles, and normals
// where there are none; then tangents where a mesh has a normal map and none of its own. Assimp then
// makes them for every mesh of the file, Sinew for those that need them.

#include <assimp/Importer.hpp>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

// Whether some mesh has a normal map without tangents.
bool wants_tangents(const aiScene &scene) {
    for (unsigned at = 0; at < scene.mNumMeshes; ++at) {
        const aiMesh &mesh = *scene.mMeshes[at];
        const aiMaterial &material = *scene.mMaterials[mesh.mMaterialIndex];
        if (!mesh.HasTangentsAndBitangents() && mesh.HasTextureCoords(0) &&
            material.GetTextureCount(aiTextureType_NORMALS) > 0) {
            return true;
        }
    }
    return false;
}

int main(int count, char **arguments) {
    if (count != 3) {
        std::fprintf(stderr, "usage: %s RUNS FILE\n", arguments[0]);
        return 2;
    }
    double best = 1e30, with_tangents = 1e30;
    for (int run = std::max(1, std::atoi(arguments[1])); run > 0; --run) {
        Assimp::Importer importer;
        const auto start = std::chrono::steady_clock::now();
        const bool read = importer.ReadFile(
            arguments[2], aiProcess_Triangulate | aiProcess_GenSmoothNormals) != nullptr;
        const auto elapsed = [start] {
            return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        };
        const double time = elapsed();
        if (!read) {
            std::fprintf(stderr, "%s\n", importer.GetErrorString());
            return 1;
        }
        best = std::min(best, time);
        if (wants_tangents(*importer.GetScene())) {
            importer.ApplyPostProcessing(aiProcess_CalcTangentSpace);
        }
        with_tangents = std::min(with_tangents, elapsed());
    }
    std::printf("%.4f %.4f\n", best, with_tangents);
}
