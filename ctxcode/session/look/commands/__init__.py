"""The commands that a project and the packages in it install, as their manifests say."""
